//! Circles in a graph of references.

use std::collections::{BTreeMap, BTreeSet};

type Edges<'n, N> = BTreeMap<&'n N, BTreeSet<&'n N>>;

/// The nodes on a circle, or between two: what is left when the ends are taken off again and again.
pub(crate) fn circles<'n, N: Ord>(graph: impl Iterator<Item = (&'n N, &'n Vec<N>)>) -> BTreeSet<&'n N> {
    let forward: Edges<'n, N> = graph.map(|(node, leads)| (node, leads.iter().collect())).collect();
    let mut backward: Edges<'n, N> = BTreeMap::new();
    for (node, leads) in &forward {
        for target in leads {
            backward.entry(target).or_default().insert(node);
        }
    }
    let leads_on = without_ends(&forward, &backward);
    let is_led_to = without_ends(&backward, &forward);
    leads_on.intersection(&is_led_to).copied().collect()
}

/// The nodes from which `next` can be followed for ever.
fn without_ends<'n, N: Ord>(next: &Edges<'n, N>, previous: &Edges<'n, N>) -> BTreeSet<&'n N> {
    let mut open: BTreeMap<&N, usize> = next.iter().map(|(node, leads)| (*node, leads.len())).collect();
    let mut ends: Vec<&N> = open.iter().filter(|(_, count)| **count == 0).map(|(node, _)| *node).collect();
    ends.extend(previous.keys().filter(|node| !next.contains_key(**node)).copied());
    while let Some(end) = ends.pop() {
        open.remove(end);
        for node in previous.get(end).into_iter().flatten() {
            if let Some(count) = open.get_mut(node) {
                *count -= 1;
                if *count == 0 {
                    ends.push(node);
                }
            }
        }
    }
    open.into_keys().collect()
}

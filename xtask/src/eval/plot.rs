//! The shares of valid calls as a picture, with their intervals. Pure: an SVG text.

use plotters::prelude::*;

use super::summary::Summary;
use crate::Outcome;
use crate::statistics::Share;

/// Pixels.
const WIDTH: u32 = 860;
const HEAD: u32 = 70;
const ROW: u32 = 60;
const FOOT: u32 = 50;
const LEFT: i32 = 170;
const RIGHT: i32 = 40;

/// What is shown of a setting: told apart by shade and by height, so that no colour needs to be seen.
const SERIES: [(&str, RGBColor); 3] = [
    ("the first reply, as it came", RGBColor(150, 150, 150)),
    ("the first reply, repaired", RGBColor(86, 130, 190)),
    ("after at most one re-ask", RGBColor(20, 50, 110)),
];

/// A row for each setting: three points with their intervals of 95 %.
pub(crate) fn svg(summaries: &[Summary]) -> Outcome<String> {
    let mut text = String::new();
    draw(&mut text, summaries).map_err(|error| format!("the plot cannot be drawn: {error}"))?;
    Ok(text)
}

type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

fn draw(text: &mut String, summaries: &[Summary]) -> Drawn {
    let rows = u32::try_from(summaries.len()).unwrap_or(0);
    let height = HEAD + rows * ROW + FOOT;
    let area = SVGBackend::with_string(text, (WIDTH, height)).into_drawing_area();
    area.fill(&WHITE)?;
    let small = ("sans-serif", 14).into_font();
    area.draw(&Text::new("Calls that gave a valid value, with 95 % intervals", (LEFT, 12), ("sans-serif", 17)))?;
    for (place, (name, colour)) in (0..).zip(SERIES) {
        let x = LEFT + place * 215;
        area.draw(&Circle::new((x + 6, 49), 5, colour.filled()))?;
        area.draw(&Text::new(name, (x + 17, 42), small.clone()))?;
    }
    let (top, bottom) = (pixel(HEAD), pixel(height - FOOT));
    for percent in (0..=100).step_by(20) {
        let x = at(f64::from(percent) / 100.0);
        area.draw(&PathElement::new([(x, top), (x, bottom)], RGBColor(225, 225, 225)))?;
        area.draw(&Text::new(format!("{percent} %"), (x - 12, bottom + 8), small.clone()))?;
    }
    for (row, summary) in (0..).zip(summaries) {
        let y = top + row * pixel(ROW);
        area.draw(&Text::new(summary.setting.to_string(), (10, y + 22), small.clone()))?;
        let shares = [summary.as_it_came, summary.at_first, summary.in_the_end];
        for (line, (share, (_, colour))) in (0..).zip(shares.into_iter().zip(SERIES)) {
            bar(&area, share, y + 14 + line * 16, colour)?;
        }
    }
    area.present()
}

fn bar(area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>, share: Share, y: i32, colour: RGBColor) -> Drawn {
    let (Some(point), Some((low, high))) = (share.point(), share.interval()) else { return Ok(()) };
    area.draw(&PathElement::new([(at(low), y), (at(high), y)], colour.stroke_width(2)))?;
    area.draw(&Circle::new((at(point), y), 5, colour.filled()))
}

/// Where a share stands, in pixels from the left.
#[expect(clippy::cast_possible_truncation, reason = "a share lies between 0 and 1, and the width is small")]
fn at(share: f64) -> i32 {
    let width = f64::from(pixel(WIDTH) - LEFT - RIGHT);
    LEFT + (share * width).round() as i32
}

fn pixel(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::matrix::Setting;
    use crate::eval::record::tests::{case, record};

    #[test]
    fn the_picture_names_every_setting_and_stays_the_same() {
        let records = [record(case(), &["value"]), record(case(), &["invalid", "value"])];
        let summaries: Vec<Summary> = Setting::ALL.into_iter().map(|setting| Summary::of(setting, &records)).collect();
        let picture = svg(&summaries).unwrap();
        for setting in Setting::ALL {
            assert!(picture.contains(&setting.to_string()), "{setting}");
        }
        assert_eq!(picture, svg(&summaries).unwrap());
        // One setting has calls: three points besides those of the legend.
        assert_eq!(picture.matches("<circle").count(), 6);
    }

    #[test]
    fn shares_stand_between_the_margins() {
        assert_eq!(at(0.0), LEFT);
        assert_eq!(at(1.0), pixel(WIDTH) - RIGHT);
        assert!(at(0.4) < at(0.6));
    }
}

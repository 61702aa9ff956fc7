//! Which draft a schema is written in.

use crate::error::{Error, ErrorKind};
use crate::json::Json;
use crate::keywords;
use crate::pointer::Pointer;

/// A draft of JSON Schema, oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Draft {
    Draft4,
    Draft6,
    Draft7,
    Draft201909,
    Draft202012,
}

/// Keywords that only the newer drafts know.
const NEWER: [&str; 9] = [
    "$defs",
    "$anchor",
    "$dynamicAnchor",
    "prefixItems",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedProperties",
    "unevaluatedItems",
    "minContains",
];

impl Draft {
    /// By `$schema`; without one by the keywords in use, else draft-07.
    pub(crate) fn of(source: &Json) -> Result<Self, Error> {
        let Some(declared) = source.get("$schema") else {
            let mut newer = false;
            keywords::walk(source, &Pointer::root(), &mut |_, json| {
                newer |= NEWER.iter().any(|keyword| json.get(keyword).is_some());
            });
            return Ok(if newer { Self::Draft202012 } else { Self::Draft7 });
        };
        let uri = match declared {
            Json::String(uri) => uri.trim_end_matches('#'),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => "",
        };
        match uri.split_once("://json-schema.org/").map(|(_, rest)| rest.trim_end_matches('/')) {
            Some("draft-04/schema") => Ok(Self::Draft4),
            Some("draft-06/schema") => Ok(Self::Draft6),
            Some("draft-07/schema" | "schema") => Ok(Self::Draft7),
            Some("draft/2019-09/schema") => Ok(Self::Draft201909),
            Some("draft/2020-12/schema") => Ok(Self::Draft202012),
            _ => {
                let message =
                    "is no draft from 4 to 2020-12; write http://json-schema.org/draft-07/schema#, or leave it out";
                Err(Error::new(ErrorKind::InvalidKeyword, message).at("").keyword_named("$schema"))
            }
        }
    }

    /// Up to draft-07 whatever stands beside a `$ref` is ignored.
    pub(crate) fn refs_stand_alone(self) -> bool {
        self <= Self::Draft7
    }
}

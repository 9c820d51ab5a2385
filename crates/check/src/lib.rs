//! Placeholder header, replaced below.

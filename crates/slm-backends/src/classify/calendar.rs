//! Dates as days.

/// Days from 1970-01-01 to a date of the Gregorian calendar. Years are counted from March, so that the leap day is last.
pub(super) fn days_before(year: u64, month: u64, day: u64) -> u64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year / 4 - year / 100 + year / 400;
    // 719_468 days lie between 0000-03-01 and 1970-01-01.
    year * 365 + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468
}

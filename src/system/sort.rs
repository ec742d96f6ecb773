//! A sort for lists of a few items. The standard library's sorts are fast for long lists too, and
//! are compiled again for every type of item and every key: thirty times as much code.

/// Sorts items by a key, and keeps the order of those with equal keys (insertion sort).
pub(crate) fn sort_few<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    for end in 1..items.len() {
        for place in (1..=end).rev() {
            if key(&items[place - 1]) <= key(&items[place]) {
                break;
            }
            items.swap(place - 1, place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Random;

    #[test]
    fn the_order_is_that_of_a_stable_sort() {
        let mut random = Random::new(1);
        for length in 0..40 {
            let mut items: Vec<(usize, usize)> = (0..length).map(|number| (random.index(10), number)).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            sort_few(&mut items, |item| item.0);
            assert_eq!(items, expected);
        }
    }
}

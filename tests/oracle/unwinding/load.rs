//! Rust code for the comparison of unwinders: closures, iterators, generics, trait objects, recursion.
use std::collections::{BTreeMap, HashMap};

trait Shape {
    fn area(&self, depth: u32) -> f64;
}

struct Square(f64);

struct Group(Vec<Box<dyn Shape>>);

impl Shape for Square {
    fn area(&self, _depth: u32) -> f64 {
        self.0 * self.0
    }
}

impl Shape for Group {
    fn area(&self, depth: u32) -> f64 {
        self.0.iter().map(|shape| shape.area(depth + 1)).sum()
    }
}

fn nested(depth: u32) -> Box<dyn Shape> {
    if depth == 0 {
        return Box::new(Square(1.5));
    }
    Box::new(Group((0..3).map(|_| nested(depth - 1)).collect()))
}

fn count_words(text: &str) -> BTreeMap<String, usize> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word.to_lowercase()).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

fn main() {
    let text = "the quick brown fox jumps over the lazy dog ".repeat(200);
    let mut sum = 0.0;
    loop {
        sum += nested(7).area(0);
        let mut lines: Vec<String> = count_words(&text).into_iter().map(|(word, n)| format!("{word} {n}")).collect();
        lines.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        if sum < 0.0 || lines.is_empty() {
            break;
        }
    }
}

// Values of Rust whose contents tests print: strings, slices, vectors, enums with data.
// std::hint::black_box is newer than the compiler of Debian 12.
fn black_box<T>(value: T) -> T {
    unsafe { std::ptr::read_volatile(&std::mem::ManuallyDrop::new(value) as *const std::mem::ManuallyDrop<T> as *const T) }
}

pub enum Shape {
    Empty,
    Circle(u32),
    Box { width: u16, height: u16 },
}

pub struct Node {
    pub value: i32,
    pub next: Option<Box<Node>>,
}

pub struct Account<'a> {
    pub name: String,
    pub nick: &'a str,
    pub scores: Vec<u32>,
    pub shape: Shape,
}

#[inline(never)]
pub fn observe(account: &Account, text: &str, owned: String, numbers: &[u32], list: &Node, shape: Shape) -> usize {
    let none: Option<u8> = black_box(None);
    let some: Option<u8> = black_box(Some(7));
    let text_length = text.bytes().filter(|byte| *byte != b' ').count();
    black_box(account.nick.len() + owned.len() + numbers.len() + list.value as usize + text_length
        + none.unwrap_or(1) as usize + some.unwrap_or(1) as usize + match shape { Shape::Empty => 0, _ => 1 })
}

#[inline(never)]
pub fn twice<T: std::ops::Add<Output = T> + Copy>(value: T) -> T {
    black_box(value + value)
}

fn main() {
    let account = Account { name: String::from("Ada"), nick: "lace", scores: vec![3, 4, 5], shape: Shape::Circle(12) };
    let list = Node { value: 1, next: Some(Box::new(Node { value: 2, next: None })) };
    let sum = observe(&account, &"some text"[0..4], String::from("owned text"), &[8, 9], &list, Shape::Box { width: 30, height: 40 });
    let more = observe(&account, "", String::new(), &[], &list, Shape::Empty);
    black_box(twice(20u32) + twice(4u32));
    println!("{}", sum + more);
}

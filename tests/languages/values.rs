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

pub struct Pair {
    pub left: i32,
    pub right: String,
}

pub trait Speak {
    fn speak(&self) -> usize;
}

impl Speak for Pair {
    #[inline(never)]
    fn speak(&self) -> usize {
        black_box(self.right.len())
    }
}

pub struct Stack<T> {
    pub items: Vec<T>,
}

impl<T> Stack<T> {
    #[inline(never)]
    pub fn put(&mut self, item: T) {
        self.items.push(black_box(item));
    }
}

#[inline(never)]
pub fn contain(seed: i32) -> usize {
    let numbers: Vec<i64> = vec![seed as i64, 2];
    let words = vec![String::from("a"), String::from("b")];
    let pairs = vec![Pair { left: 1, right: String::from("one") }, Pair { left: 2, right: String::from("two") }];
    let some_text = Some(String::from("inner"));
    let no_text: Option<String> = None;
    let boxed: Option<Box<i32>> = Some(Box::new(5));
    let table: std::collections::HashMap<u32, u32> = (0..5).map(|n| (n, n)).collect();
    let sorted: std::collections::BTreeMap<u32, u32> = (0..6).map(|n| (n, n)).collect();
    let queue: std::collections::VecDeque<u32> = (0..7).collect();
    let shared = std::rc::Rc::new(Pair { left: 8, right: String::from("shared") });
    let speaker: Box<dyn Speak> = Box::new(Pair { left: 3, right: String::from("three") });
    let path = std::path::PathBuf::from("/tmp/x");
    let mut bytes = Stack { items: vec![1u8] };
    bytes.put(2);
    let mut wide = Stack { items: vec![1u64] };
    wide.put(2);
    let sum = words.len() + pairs.len() + some_text.as_ref().map_or(0, |text| text.len());
    black_box(sum + no_text.map_or(0, |text| text.len()) + boxed.map_or(0, |n| *n as usize) + table.len()
        + sorted.len() + queue.len() + shared.right.len() + speaker.speak() + numbers.len() + path.as_os_str().len())
}

fn main() {
    let account = Account { name: String::from("Ada"), nick: "lace", scores: vec![3, 4, 5], shape: Shape::Circle(12) };
    let list = Node { value: 1, next: Some(Box::new(Node { value: 2, next: None })) };
    let sum = observe(&account, &"some text"[0..4], String::from("owned text"), &[8, 9], &list, Shape::Box { width: 30, height: 40 });
    let more = observe(&account, "", String::new(), &[], &list, Shape::Empty);
    black_box(twice(20u32) + twice(4u32));
    println!("{}", sum + more + contain(1));
}

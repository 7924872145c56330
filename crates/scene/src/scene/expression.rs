//! Arithmetic expressions of position, velocity and time, such as `-0.5 * vx + sin(2 * pi * t)`.
//!
//! Own code, because functions must give the same bits on every processor, which crates that call the platform's `sin`
//! and `pow` do not.

use carom_geometry::math;
use std::f64::consts::PI;

/// Variables of an expression: the state of one body, and the time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ExpressionVariables {
    /// Position; in 2D the third coordinate is zero.
    pub position: [f64; 3],
    /// Velocity of the body, in length / time.
    pub velocity: [f64; 3],
    /// Simulated time at which the force is asked for.
    pub time: f64,
    /// Mass m of the body.
    pub mass: f64,
    /// Radius r of the body, a length.
    pub radius: f64,
}

/// Names of the variables, in the order of [`ExpressionVariables::get`].
const VARIABLES: [&str; 9] = ["x", "y", "z", "vx", "vy", "vz", "t", "m", "r"];
/// Names of functions of one number.
const FUNCTIONS: [&str; 8] = ["sin", "cos", "exp", "ln", "sqrt", "abs", "sign", "tanh"];
/// Names of functions of two numbers.
const TWO_ARGUMENT_FUNCTIONS: [&str; 3] = ["min", "max", "atan2"];
/// Deepest nesting; each level takes stack.
const DEEPEST: usize = 50;
/// Largest number of operators, numbers and names: evaluation descends as deep as a chain of operators is long.
const MOST_PARTS: usize = 500;

impl ExpressionVariables {
    fn get(&self, number: usize) -> f64 {
        match number {
            0..3 => self.position[number],
            3..6 => self.velocity[number - 3],
            6 => self.time,
            7 => self.mass,
            _ => self.radius,
        }
    }
}

/// An expression that has been read, with constant parts evaluated.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression(Node);

#[derive(Clone, Debug, PartialEq)]
enum Node {
    Number(f64),
    Variable(usize),
    Negative(Box<Node>),
    /// An operator and both operands.
    Operation(char, Box<[Node; 2]>),
    Function(usize, Box<Node>),
    FunctionOfTwo(usize, Box<[Node; 2]>),
}

impl Expression {
    /// Returns an expression that is a number.
    pub fn constant(number: f64) -> Self {
        Expression(Node::Number(number))
    }

    /// Reads an expression; the error is a rule that it breaks.
    ///
    /// ```
    /// use carom_scene::scene::{Expression, ExpressionVariables};
    /// let drag = Expression::parse("-0.5 * vx^2").unwrap();
    /// let at = ExpressionVariables { velocity: [3.0, 0.0, 0.0], ..Default::default() };
    /// assert_eq!(drag.value(&at), -4.5);
    /// assert!(Expression::parse("2 *").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parser = Parser { text, place: 0, depth: 0, parts: 0 };
        let node = parser.sum()?;
        match parser.peek() {
            // Constant parts are computed once here, not for every body and step.
            None => Ok(Expression(node.folded())),
            Some(other) => Err(parser.unexpected(other)),
        }
    }

    /// Returns the value for these variables; it may be infinite or no number.
    pub fn value(&self, variables: &ExpressionVariables) -> f64 {
        self.0.value(variables)
    }

    /// Returns the first variable of the third axis, `z` or `vz`, that it mentions.
    pub(super) fn third_axis_variable(&self) -> Option<&'static str> {
        ["z", "vz"].into_iter().find(|name| {
            let number = VARIABLES.iter().position(|variable| variable == name);
            number.is_some_and(|number| self.0.mentions(number))
        })
    }

    /// Returns the value of an expression without variables.
    pub fn constant_value(&self) -> Option<f64> {
        match self.0 {
            Node::Number(number) => Some(number),
            _ => None,
        }
    }
}

impl Node {
    fn mentions(&self, variable: usize) -> bool {
        match self {
            Node::Number(_) => false,
            Node::Variable(number) => *number == variable,
            Node::Negative(node) | Node::Function(_, node) => node.mentions(variable),
            Node::Operation(_, nodes) | Node::FunctionOfTwo(_, nodes) => {
                nodes.iter().any(|node| node.mentions(variable))
            }
        }
    }

    fn value(&self, variables: &ExpressionVariables) -> f64 {
        match self {
            Node::Number(number) => *number,
            Node::Variable(number) => variables.get(*number),
            Node::Negative(node) => -node.value(variables),
            Node::Operation(operator, operands) => {
                let [left, right] = operands.each_ref().map(|node| node.value(variables));
                match operator {
                    '+' => left + right,
                    '-' => left - right,
                    '*' => left * right,
                    '/' => left / right,
                    _ => power(left, right),
                }
            }
            Node::Function(number, node) => {
                let value = node.value(variables);
                match number {
                    0 => math::sin(value),
                    1 => math::cos(value),
                    2 => math::exp(value),
                    3 => math::ln(value),
                    4 => value.sqrt(),
                    5 => value.abs(),
                    6 if value == 0.0 || value.is_nan() => value,
                    6 => value.signum(),
                    _ => hyperbolic_tangent(value),
                }
            }
            Node::FunctionOfTwo(number, operands) => {
                let [left, right] = operands.each_ref().map(|node| node.value(variables));
                match number {
                    // Unlike those of std these keep what is no number.
                    0 if right < left || right.is_nan() => right,
                    1 if right > left || right.is_nan() => right,
                    0 | 1 => left,
                    _ => math::atan2(left, right),
                }
            }
        }
    }

    fn any(&self, is_wanted: &dyn Fn(&Node) -> bool) -> bool {
        is_wanted(self)
            || match self {
                Node::Number(_) | Node::Variable(_) => false,
                Node::Negative(node) | Node::Function(_, node) => node.any(is_wanted),
                Node::Operation(_, operands) | Node::FunctionOfTwo(_, operands) => {
                    operands.iter().any(|node| node.any(is_wanted))
                }
            }
    }

    /// Replaces parts without variables by their values.
    fn folded(self) -> Self {
        if !self.any(&|node| matches!(node, Node::Variable(_))) {
            return Node::Number(self.value(&ExpressionVariables::default()));
        }
        match self {
            Node::Negative(node) => Node::Negative(Box::new(node.folded())),
            Node::Operation(operator, operands) => {
                Node::Operation(operator, Box::new(operands.map(Node::folded)))
            }
            Node::Function(number, node) => Node::Function(number, Box::new(node.folded())),
            Node::FunctionOfTwo(number, operands) => {
                Node::FunctionOfTwo(number, Box::new(operands.map(Node::folded)))
            }
            leaf => leaf,
        }
    }
}

/// Whole powers by multiplication, which is exact where it can be and takes negative bases.
fn power(base: f64, exponent: f64) -> f64 {
    if exponent.fract() == 0.0 && exponent.abs() <= 16.0 {
        // In this order everywhere: that of `powi` is not specified.
        let product = (0..exponent.abs() as u32).fold(1.0, |product, _| product * base);
        if exponent < 0.0 { 1.0 / product } else { product }
    } else {
        math::powf(base, exponent)
    }
}

fn hyperbolic_tangent(x: f64) -> f64 {
    let twice = math::exp_m1(2.0 * x.abs());
    let value = if twice.is_infinite() { 1.0 } else { twice / (twice + 2.0) };
    value.copysign(x)
}

/// Reads by recursive descent: sums of products of powers.
struct Parser<'a> {
    text: &'a str,
    /// Byte at which to continue.
    place: usize,
    depth: usize,
    /// Number of numbers and names so far.
    parts: usize,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.place..]
    }

    fn peek(&mut self) -> Option<char> {
        self.place += self.rest().len() - self.rest().trim_start().len();
        self.rest().chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.place += if found { wanted.len_utf8() } else { 0 };
        found
    }

    fn unexpected(&self, found: char) -> String {
        format!(
            "\"{found}\" cannot stand at character {}",
            self.text[..self.place].chars().count() + 1
        )
    }

    fn sum(&mut self) -> Result<Node, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("it is nested more than {DEEPEST} deep"));
        }
        let mut left = self.product()?;
        while let Some(operator @ ('+' | '-')) = self.peek() {
            self.place += 1;
            left = Node::Operation(operator, Box::new([left, self.product()?]));
        }
        self.depth -= 1;
        Ok(left)
    }

    fn product(&mut self) -> Result<Node, String> {
        let mut left = self.signed()?;
        while let Some(operator @ ('*' | '/')) = self.peek() {
            self.place += 1;
            left = Node::Operation(operator, Box::new([left, self.signed()?]));
        }
        Ok(left)
    }

    /// A power with any number of signs before it: -x^2 is -(x^2).
    fn signed(&mut self) -> Result<Node, String> {
        let mut is_negative = false;
        while let Some(sign @ ('+' | '-')) = self.peek() {
            self.place += 1;
            is_negative ^= sign == '-';
        }
        let power = self.power()?;
        Ok(if is_negative { Node::Negative(Box::new(power)) } else { power })
    }

    /// Powers are read from the right: 2^3^2 is 2^9.
    fn power(&mut self) -> Result<Node, String> {
        let base = self.operand()?;
        if !self.take('^') {
            return Ok(base);
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("it is nested more than {DEEPEST} deep"));
        }
        let exponent = self.signed()?;
        self.depth -= 1;
        Ok(Node::Operation('^', Box::new([base, exponent])))
    }

    fn operand(&mut self) -> Result<Node, String> {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return Err(format!("it has more than {MOST_PARTS} numbers and names"));
        }
        match self.peek() {
            None => Err("it ends where a number or a name should follow".to_owned()),
            Some('(') => {
                self.place += 1;
                let inner = self.sum()?;
                self.close(inner)
            }
            Some(first) if first.is_ascii_digit() || first == '.' => self.number(),
            Some(first) if first.is_ascii_alphabetic() => self.name(),
            Some(other) => Err(self.unexpected(other)),
        }
    }

    fn close(&mut self, inner: Node) -> Result<Node, String> {
        if self.take(')') { Ok(inner) } else { Err("a bracket is not closed".to_owned()) }
    }

    fn number(&mut self) -> Result<Node, String> {
        let bytes = self.rest().as_bytes();
        let mut end = 0;
        while end < bytes.len() {
            let is_exponent_sign = matches!(bytes[end], b'+' | b'-')
                && end > 0
                && matches!(bytes[end - 1], b'e' | b'E');
            let is_part = bytes[end].is_ascii_digit() || matches!(bytes[end], b'.' | b'e' | b'E');
            if !is_part && !is_exponent_sign {
                break;
            }
            end += 1;
        }
        let text = &self.rest()[..end];
        let number = text.parse::<f64>().map_err(|_| format!("\"{text}\" is no number"))?;
        self.place += end;
        Ok(Node::Number(number))
    }

    fn name(&mut self) -> Result<Node, String> {
        let end = self.rest().find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let name = self.rest()[..end.unwrap_or(self.rest().len())].to_owned();
        self.place += name.len();
        let position = |names: &[&str]| names.iter().position(|known| *known == name);
        if name == "pi" {
            return Ok(Node::Number(PI));
        }
        if let Some(number) = position(&VARIABLES) {
            return Ok(Node::Variable(number));
        }
        let (one, two) = (position(&FUNCTIONS), position(&TWO_ARGUMENT_FUNCTIONS));
        if one.is_none() && two.is_none() {
            return Err(format!(
                "\"{name}\" is unknown; variables are {}, functions {} and {}, and there is pi",
                VARIABLES.join(", "),
                FUNCTIONS.join(", "),
                TWO_ARGUMENT_FUNCTIONS.join(", ")
            ));
        }
        if !self.take('(') {
            return Err(format!("after {name} a bracket must follow"));
        }
        let first = self.sum()?;
        let node = match (one, two) {
            (Some(number), _) => Node::Function(number, Box::new(first)),
            (_, number) => {
                if !self.take(',') {
                    return Err(format!("{name} takes two numbers, with a comma between them"));
                }
                let second = self.sum()?;
                Node::FunctionOfTwo(number.unwrap_or_default(), Box::new([first, second]))
            }
        };
        self.close(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> f64 {
        let at = ExpressionVariables {
            position: [2.0, 3.0, 5.0],
            velocity: [-1.0, 0.5, 0.25],
            time: 7.0,
            mass: 4.0,
            radius: 0.5,
        };
        Expression::parse(text).unwrap().value(&at)
    }

    #[test]
    fn operators_bind_as_in_mathematics() {
        for (text, expected) in [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3", 9.0),
            ("8 / 4 / 2", 1.0),
            ("1 - 2 - 3", -4.0),
            ("-2^2", -4.0),
            ("2^3^2", 512.0),
            ("2^-1", 0.5),
            ("--x", 2.0),
            ("1e-1 * 1.5E2", 15.0),
            ("x*y*z*t*m*r", 420.0),
            ("vx + vy + vz", -0.25),
            ("min(x, y) + max(x, y)", 5.0),
            ("sqrt(16) * abs(vx) * sign(vx)", -4.0),
            ("cos(pi) + sin(0) + ln(exp(2))", 1.0),
            ("atan2(0, 1) + tanh(0)", 0.0),
            ("(-2)^3", -8.0),
        ] {
            assert!((value(text) - expected).abs() < 1e-15, "{text}: {}", value(text));
        }
        assert!((value("tanh(0.3)") - 0.3_f64.tanh()).abs() < 1e-15);
        assert_eq!(value("tanh(-1e3)"), -1.0);
    }

    #[test]
    fn constant_parts_are_evaluated_once() {
        let Expression(node) = Expression::parse("x * sin(2 * pi / 8) * 1").unwrap();
        assert!(!node.any(&|node| matches!(node, Node::Function(..))), "{node:?}");
        assert_eq!(Expression::parse("3 * 4").unwrap(), Expression::constant(12.0));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("", "it ends"),
            ("2 *", "it ends"),
            ("2 3", "\"3\" cannot stand at character 3"),
            ("x $ 2", "\"$\" cannot stand at character 3"),
            ("(x", "a bracket is not closed"),
            ("sine(x)", "\"sine\" is unknown; variables are x, y"),
            ("sin x", "after sin a bracket must follow"),
            ("max(x)", "max takes two numbers"),
            ("1.2.3", "\"1.2.3\" is no number"),
            ("é", "cannot stand"),
        ] {
            let message = Expression::parse(text).unwrap_err();
            assert!(message.contains(part), "{text}: {message}");
        }
        assert!(Expression::parse(&"(".repeat(10_000)).unwrap_err().contains("nested"));
        assert!(Expression::parse(&"2^".repeat(10_000)).unwrap_err().contains("nested"));
        assert!(Expression::parse(&"-".repeat(10_000)).is_err());
        for long in ["x+", "x*", "2-", "sin(x)/"] {
            let text = format!("{}1", long.repeat(100_000));
            assert!(Expression::parse(&text).unwrap_err().contains("more than 500"), "{long}");
        }
        assert!(value("min(ln(-1), 0)").is_nan() && value("max(0, ln(-1))").is_nan());
    }
}

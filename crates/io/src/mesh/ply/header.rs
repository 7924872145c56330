//! The header of PLY.

use super::super::MeshProblem;
use super::super::problem::LocatedMeshProblem;
use super::super::tokenizer::MeshTokenizer;
use crate::excerpt;
use std::collections::HashSet;

const FORMAT_RULE: &str = "it must be ascii, binary_little_endian or binary_big_endian, and 1.0";
const TYPE_RULE: &str = "it must be char, uchar, short, ushort, int, uint, float, double, or one \
    of int8, uint8, int16, uint16, int32, uint32, float32, float64";
const WHOLE_RULE: &str = "lists are counted by whole numbers, and corners are whole numbers";
const LINE_RULE: &str = "a line of the header starts with format, comment, obj_info, element, \
    property or end_header";
const COUNT_RULE: &str = "an element has a name and a count of its rows";
const PROPERTY_RULE: &str = "a property has a type and a name, or list, two types and a name";

/// Smallest number of corners of a face.
const FEWEST_CORNERS: usize = 3;

/// The header of a PLY file.
pub(super) struct PlyHeader<'a> {
    pub encoding: PlyEncoding,
    pub elements: Vec<PlyElement<'a>>,
    /// Number of vertices that the file declares.
    pub vertices: usize,
    /// Number of bytes up to the first row.
    pub length: usize,
    /// Number of lines up to the first row.
    pub lines: usize,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum PlyEncoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// Rows with the same properties.
pub(super) struct PlyElement<'a> {
    pub name: &'a [u8],
    pub count: u64,
    pub properties: Vec<PlyProperty<'a>>,
    /// Line of the header that names it.
    line: usize,
}

pub(super) struct PlyProperty<'a> {
    pub name: &'a [u8],
    pub kind: PlyPropertyType,
}

#[derive(Clone, Copy)]
pub(super) enum PlyPropertyType {
    Scalar(PlyScalarType),
    List { count: PlyScalarType, item: PlyScalarType },
}

/// The storage type of a number.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum PlyScalarType {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl PlyScalarType {
    fn of(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"char" | b"int8" => PlyScalarType::I8,
            b"uchar" | b"uint8" => PlyScalarType::U8,
            b"short" | b"int16" => PlyScalarType::I16,
            b"ushort" | b"uint16" => PlyScalarType::U16,
            b"int" | b"int32" => PlyScalarType::I32,
            b"uint" | b"uint32" => PlyScalarType::U32,
            b"float" | b"float32" => PlyScalarType::F32,
            b"double" | b"float64" => PlyScalarType::F64,
            _ => return None,
        })
    }

    /// Returns its size in bytes.
    #[inline]
    pub(super) fn size(self) -> usize {
        match self {
            PlyScalarType::I8 | PlyScalarType::U8 => 1,
            PlyScalarType::I16 | PlyScalarType::U16 => 2,
            PlyScalarType::I32 | PlyScalarType::U32 | PlyScalarType::F32 => 4,
            PlyScalarType::F64 => 8,
        }
    }

    fn is_whole(self) -> bool {
        !matches!(self, PlyScalarType::F32 | PlyScalarType::F64)
    }
}

impl PlyProperty<'_> {
    /// Whether it is the list of the vertices of a face.
    pub(super) fn holds_corners(&self) -> bool {
        matches!(self.name, b"vertex_indices" | b"vertex_index")
    }
}

impl PlyElement<'_> {
    /// Returns its name in messages.
    pub(super) fn title(&self) -> String {
        match self.name {
            b"vertex" => "vertices".to_owned(),
            b"face" => "faces".to_owned(),
            other => format!("rows of \"{}\"", excerpt::value(other)),
        }
    }

    /// Returns the number of bytes of the shortest row: lists except that of corners may be empty, and in text a digit
    /// and a blank are two bytes.
    fn shortest_row(&self, encoding: PlyEncoding) -> u64 {
        let size =
            |number: PlyScalarType| if encoding == PlyEncoding::Text { 2 } else { number.size() };
        let sizes = self.properties.iter().map(|property| match property.kind {
            PlyPropertyType::List { count, item }
                if self.name == b"face" && property.holds_corners() =>
            {
                size(count) + FEWEST_CORNERS * size(item)
            }
            PlyPropertyType::Scalar(number) | PlyPropertyType::List { count: number, .. } => {
                size(number)
            }
        });
        sizes.sum::<usize>() as u64
    }
}

impl<'a> PlyHeader<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Result<Self, LocatedMeshProblem> {
        let mut lines = PlyHeaderParser::new(bytes);
        lines.read()?;
        let PlyHeaderParser { mut words, encoding, elements, .. } = lines;
        let lines = words.line();
        words.next_line();
        let rule = "after the line ply it must say how the rows are written";
        let encoding = encoding
            .ok_or_else(|| MeshProblem::NotInHeader { what: "format", rule }.at_line(lines))?;
        let length = bytes.len() - words.rest().len();
        let mut header = PlyHeader { encoding, elements, vertices: 0, length, lines };
        header.check(words.rest().len())?;
        Ok(header)
    }

    /// Refuses a header that lacks what a mesh needs, or counts that the file is too short for.
    fn check(&mut self, bytes: usize) -> Result<(), LocatedMeshProblem> {
        let vertex = self.element(b"vertex", "element vertex")?;
        for (axis, what) in [(b"x", "property x"), (b"y", "property y"), (b"z", "property z")] {
            let is_axis = |property: &PlyProperty| {
                property.name == axis && matches!(property.kind, PlyPropertyType::Scalar(_))
            };
            self.require(vertex.properties.iter().any(is_axis), what, vertex.line)?;
        }
        let face = self.element(b"face", "element face")?;
        let mut corners = face.properties.iter().filter(|property| property.holds_corners());
        let lists = |property: &PlyProperty| matches!(property.kind, PlyPropertyType::List { .. });
        let first = corners.next().is_some_and(lists);
        self.require(first, "property list vertex_indices", face.line)?;
        if let Some(second) = corners.next() {
            return Err(duplicate_name(second.name).at_line(face.line));
        }
        let vertices = vertex.count as usize;
        for element in &self.elements {
            self.check_count(element, bytes)?;
        }
        self.vertices = vertices;
        Ok(())
    }

    fn element(
        &self,
        name: &[u8],
        what: &'static str,
    ) -> Result<&PlyElement<'a>, LocatedMeshProblem> {
        let found = self.elements.iter().find(|element| element.name == name);
        self.require(found.is_some(), what, self.lines)?;
        Ok(found.expect("it was just found"))
    }

    fn require(
        &self,
        there: bool,
        what: &'static str,
        line: usize,
    ) -> Result<(), LocatedMeshProblem> {
        let rule = "a mesh needs vertex with x, y and z, and face with a list vertex_indices";
        let missing = MeshProblem::NotInHeader { what, rule };
        if there { Ok(()) } else { Err(missing.at_line(line)) }
    }

    /// Refuses impossible counts, so that a false one costs neither memory nor time.
    fn check_count(&self, element: &PlyElement, bytes: usize) -> Result<(), LocatedMeshProblem> {
        let PlyElement { count, line, .. } = *element;
        let what = element.title();
        // The last row of a text needs no line end.
        let shortest = count.saturating_mul(element.shortest_row(self.encoding));
        if shortest > bytes as u64 + 1 {
            return Err(MeshProblem::ImpossibleCount { what, count, bytes }.at_line(line));
        }
        let numbered = matches!(element.name, b"vertex" | b"face");
        if numbered && count > u64::from(u32::MAX) {
            return Err(MeshProblem::TooMany { what, count }.at_line(line));
        }
        Ok(())
    }
}

/// The header while it is read.
struct PlyHeaderParser<'a> {
    words: MeshTokenizer<'a>,
    encoding: Option<PlyEncoding>,
    elements: Vec<PlyElement<'a>>,
    /// Names of elements, and those of the properties of the last one. A set, since a header of a million names must
    /// not be compared pairwise; it is never iterated, so its order does not matter.
    names: HashSet<&'a [u8]>,
    properties: HashSet<&'a [u8]>,
}

impl<'a> PlyHeaderParser<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        PlyHeaderParser {
            words: MeshTokenizer::new(bytes),
            encoding: None,
            elements: Vec::new(),
            names: HashSet::new(),
            properties: HashSet::new(),
        }
    }

    /// Reads up to the end of the line `end_header`.
    fn read(&mut self) -> Result<(), LocatedMeshProblem> {
        let first = self.words.word().unwrap_or_default();
        if first != b"ply" {
            let rule = "a PLY file starts with ply";
            let value = excerpt::value(first);
            return Err(MeshProblem::Start { value, rule }.at_line(1));
        }
        loop {
            let ended = !self.words.next_line();
            let first = self.words.word();
            match first {
                Some(b"end_header") => return Ok(()),
                Some(b"comment" | b"obj_info") => {}
                Some(b"format") => self.format()?,
                Some(b"element") => self.element()?,
                Some(b"property") => self.property()?,
                Some(other) => {
                    let problem = MeshProblem::value("the first word", other, LINE_RULE);
                    return Err(problem.at_line(self.words.line()));
                }
                None if ended => {
                    let rule = "the header must end with it";
                    let missing = MeshProblem::Missing { what: "end_header", rule };
                    return Err(missing.at_line(self.words.line()));
                }
                None => {}
            }
        }
    }

    fn format(&mut self) -> Result<(), LocatedMeshProblem> {
        let word = self.words.required("the format", FORMAT_RULE)?;
        self.encoding = Some(match word {
            b"ascii" => PlyEncoding::Text,
            b"binary_little_endian" => PlyEncoding::LittleEndian,
            b"binary_big_endian" => PlyEncoding::BigEndian,
            other => return Err(self.refuse("the format", other, FORMAT_RULE)),
        });
        match self.words.required("the version", FORMAT_RULE)? {
            b"1.0" => Ok(()),
            other => Err(self.refuse("the version", other, FORMAT_RULE)),
        }
    }

    fn element(&mut self) -> Result<(), LocatedMeshProblem> {
        let line = self.words.line();
        let name = self.words.required("the name", COUNT_RULE)?;
        let count = self.words.count("the count", COUNT_RULE)?;
        if !self.names.insert(name) {
            return Err(duplicate_name(name).at_line(line));
        }
        self.properties.clear();
        self.elements.push(PlyElement { name, count, properties: Vec::new(), line });
        Ok(())
    }

    fn property(&mut self) -> Result<(), LocatedMeshProblem> {
        let first = self.words.required("the type", PROPERTY_RULE)?;
        let kind = if first == b"list" {
            PlyPropertyType::List { count: self.next_number(true)?, item: self.next_number(false)? }
        } else {
            PlyPropertyType::Scalar(self.number(first)?)
        };
        let line = self.words.line();
        let name = self.words.required("the name", PROPERTY_RULE)?;
        let property = PlyProperty { name, kind };
        if let PlyPropertyType::List { item, .. } = kind
            && property.holds_corners()
            && !item.is_whole()
        {
            return Err(self.refuse("the list", name, WHOLE_RULE));
        }
        let Some(element) = self.elements.last_mut() else {
            return Err(self.refuse("the property", name, "an element must stand before it"));
        };
        if !self.properties.insert(name) {
            return Err(duplicate_name(name).at_line(line));
        }
        element.properties.push(property);
        Ok(())
    }

    fn next_number(&mut self, whole: bool) -> Result<PlyScalarType, LocatedMeshProblem> {
        let word = self.words.required("the type", PROPERTY_RULE)?;
        let number = self.number(word)?;
        if whole && !number.is_whole() {
            return Err(self.refuse("the type", word, WHOLE_RULE));
        }
        Ok(number)
    }

    fn number(&self, word: &[u8]) -> Result<PlyScalarType, LocatedMeshProblem> {
        PlyScalarType::of(word).ok_or_else(|| self.refuse("the type", word, TYPE_RULE))
    }

    fn refuse(&self, what: &'static str, word: &[u8], rule: &'static str) -> LocatedMeshProblem {
        MeshProblem::value(what, word, rule).at_line(self.words.line())
    }
}

fn duplicate_name(name: &[u8]) -> MeshProblem {
    MeshProblem::DuplicateName { name: excerpt::value(name) }
}

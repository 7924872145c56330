/// The numbers of a section.
#[derive(Clone, Debug)]
pub(super) enum Array {
    F64(Vec<f64>),
    U64(Vec<u64>),
    U32(Vec<u32>),
}

/// Equal if the bits are, so that a number that is none equals itself.
impl PartialEq for Array {
    fn eq(&self, other: &Self) -> bool {
        let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        match (self, other) {
            (Array::F64(own), Array::F64(others)) => bits(own) == bits(others),
            (Array::U64(own), Array::U64(others)) => own == others,
            (Array::U32(own), Array::U32(others)) => own == others,
            _ => false,
        }
    }
}

/// The type of the numbers of a section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    F64 = 1,
    U64 = 2,
    U32 = 3,
}

impl Kind {
    pub(super) fn of_code(code: u8) -> Option<Self> {
        [Kind::F64, Kind::U64, Kind::U32].into_iter().find(|&kind| kind as u8 == code)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::F64 => "f64",
            Kind::U64 => "u64",
            Kind::U32 => "u32",
        }
    }

    /// Bytes of one number.
    pub(super) fn width(self) -> usize {
        match self {
            Kind::F64 | Kind::U64 => 8,
            Kind::U32 => 4,
        }
    }
}

impl Array {
    pub(super) fn len(&self) -> usize {
        match self {
            Array::F64(values) => values.len(),
            Array::U64(values) => values.len(),
            Array::U32(values) => values.len(),
        }
    }

    pub(super) fn kind(&self) -> Kind {
        match self {
            Array::F64(_) => Kind::F64,
            Array::U64(_) => Kind::U64,
            Array::U32(_) => Kind::U32,
        }
    }

    pub(super) fn put_into(&self, bytes: &mut Vec<u8>) {
        match self {
            Array::F64(values) => bytes.extend(values.iter().flat_map(|value| value.to_le_bytes())),
            Array::U64(values) => bytes.extend(values.iter().flat_map(|value| value.to_le_bytes())),
            Array::U32(values) => bytes.extend(values.iter().flat_map(|value| value.to_le_bytes())),
        }
    }

    /// The numbers in bytes whose count is a multiple of the width.
    pub(super) fn from_bytes(kind: Kind, bytes: &[u8]) -> Self {
        let eights = || bytes.as_chunks::<8>().0.iter();
        let fours = || bytes.as_chunks::<4>().0.iter();
        match kind {
            Kind::F64 => Array::F64(eights().map(|chunk| f64::from_le_bytes(*chunk)).collect()),
            Kind::U64 => Array::U64(eights().map(|chunk| u64::from_le_bytes(*chunk)).collect()),
            Kind::U32 => Array::U32(fours().map(|chunk| u32::from_le_bytes(*chunk)).collect()),
        }
    }
}

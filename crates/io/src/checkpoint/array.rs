//! The numbers in a section of a checkpoint, and how they become bytes.

/// The numbers of a section.
#[derive(Clone, Debug)]
pub(super) enum CheckpointArray {
    F64(Vec<f64>),
    U64(Vec<u64>),
    U32(Vec<u32>),
}

/// Compares bits, so that NaN equals itself.
impl PartialEq for CheckpointArray {
    fn eq(&self, other: &Self) -> bool {
        let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        match (self, other) {
            (CheckpointArray::F64(own), CheckpointArray::F64(others)) => bits(own) == bits(others),
            (CheckpointArray::U64(own), CheckpointArray::U64(others)) => own == others,
            (CheckpointArray::U32(own), CheckpointArray::U32(others)) => own == others,
            _ => false,
        }
    }
}

/// The type of the numbers of a section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CheckpointArrayType {
    F64 = 1,
    U64 = 2,
    U32 = 3,
}

impl CheckpointArrayType {
    pub(super) fn from_code(code: u8) -> Option<Self> {
        [CheckpointArrayType::F64, CheckpointArrayType::U64, CheckpointArrayType::U32]
            .into_iter()
            .find(|&kind| kind as u8 == code)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            CheckpointArrayType::F64 => "f64",
            CheckpointArrayType::U64 => "u64",
            CheckpointArrayType::U32 => "u32",
        }
    }

    /// Returns the number of bytes of one number.
    pub(super) fn byte_width(self) -> usize {
        match self {
            CheckpointArrayType::F64 | CheckpointArrayType::U64 => 8,
            CheckpointArrayType::U32 => 4,
        }
    }
}

impl CheckpointArray {
    pub(super) fn len(&self) -> usize {
        match self {
            CheckpointArray::F64(values) => values.len(),
            CheckpointArray::U64(values) => values.len(),
            CheckpointArray::U32(values) => values.len(),
        }
    }

    pub(super) fn kind(&self) -> CheckpointArrayType {
        match self {
            CheckpointArray::F64(_) => CheckpointArrayType::F64,
            CheckpointArray::U64(_) => CheckpointArrayType::U64,
            CheckpointArray::U32(_) => CheckpointArrayType::U32,
        }
    }

    pub(super) fn append_to(&self, bytes: &mut Vec<u8>) {
        match self {
            CheckpointArray::F64(values) => {
                bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()))
            }
            CheckpointArray::U64(values) => {
                bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()))
            }
            CheckpointArray::U32(values) => {
                bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()))
            }
        }
    }

    /// Decodes the numbers in bytes whose count is a multiple of the width.
    pub(super) fn from_bytes(kind: CheckpointArrayType, bytes: &[u8]) -> Self {
        let double_words = || bytes.as_chunks::<8>().0.iter();
        let words = || bytes.as_chunks::<4>().0.iter();
        match kind {
            CheckpointArrayType::F64 => CheckpointArray::F64(
                double_words().map(|chunk| f64::from_le_bytes(*chunk)).collect(),
            ),
            CheckpointArrayType::U64 => CheckpointArray::U64(
                double_words().map(|chunk| u64::from_le_bytes(*chunk)).collect(),
            ),
            CheckpointArrayType::U32 => {
                CheckpointArray::U32(words().map(|chunk| u32::from_le_bytes(*chunk)).collect())
            }
        }
    }
}

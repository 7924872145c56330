//! How the numbers in a section of a checkpoint become bytes.

use carom_simulate::SavedArray;

/// The type of the numbers of a section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CheckpointArrayType {
    F64 = 1,
    U64 = 2,
    U32 = 3,
}

impl CheckpointArrayType {
    pub(super) fn of(array: &SavedArray) -> Self {
        match array {
            SavedArray::F64(_) => CheckpointArrayType::F64,
            SavedArray::U64(_) => CheckpointArrayType::U64,
            SavedArray::U32(_) => CheckpointArrayType::U32,
        }
    }

    pub(super) fn from_code(code: u8) -> Option<Self> {
        [CheckpointArrayType::F64, CheckpointArrayType::U64, CheckpointArrayType::U32]
            .into_iter()
            .find(|&kind| kind as u8 == code)
    }

    /// Returns the number of bytes of one number.
    pub(super) fn byte_width(self) -> usize {
        match self {
            CheckpointArrayType::F64 | CheckpointArrayType::U64 => 8,
            CheckpointArrayType::U32 => 4,
        }
    }

    /// Decodes the numbers in bytes whose count is a multiple of the width.
    pub(super) fn decode(self, bytes: &[u8]) -> SavedArray {
        let double_words = || bytes.as_chunks::<8>().0.iter();
        let words = || bytes.as_chunks::<4>().0.iter();
        match self {
            CheckpointArrayType::F64 => {
                SavedArray::F64(double_words().map(|chunk| f64::from_le_bytes(*chunk)).collect())
            }
            CheckpointArrayType::U64 => {
                SavedArray::U64(double_words().map(|chunk| u64::from_le_bytes(*chunk)).collect())
            }
            CheckpointArrayType::U32 => {
                SavedArray::U32(words().map(|chunk| u32::from_le_bytes(*chunk)).collect())
            }
        }
    }
}

/// Returns the number of bytes of the numbers of an array.
pub(super) fn byte_count(array: &SavedArray) -> usize {
    array.len() * CheckpointArrayType::of(array).byte_width()
}

/// Appends the numbers of an array to bytes.
pub(super) fn append(array: &SavedArray, bytes: &mut Vec<u8>) {
    match array {
        SavedArray::F64(values) => {
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()))
        }
        SavedArray::U64(values) => {
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()))
        }
        SavedArray::U32(values) => {
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()))
        }
    }
}

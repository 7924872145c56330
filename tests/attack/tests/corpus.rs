//! The kept corpus, small valid files and minimized findings, through every reader.

use carom_attack::corpus;
use carom_attack::reader::Reader;

#[test]
fn every_file_of_the_corpus_keeps_the_promises_of_its_reader() {
    for reader in Reader::ALL {
        let files = corpus::files(reader).unwrap();
        assert!(!files.is_empty(), "{reader:?} has no files");
        for (path, bytes) in files {
            let checked = reader.check(&bytes);
            assert!(checked.is_ok(), "{}: {}", path.display(), checked.unwrap_err());
        }
    }
}

#[test]
fn every_reader_accepts_a_file_of_the_corpus_beginning_to_end() {
    for reader in Reader::ALL {
        let files = corpus::files(reader).unwrap();
        let accepted = files.iter().any(|(_, bytes)| reader.check(bytes) == Ok(true));
        assert!(
            accepted,
            "{reader:?} refuses all of them, so that changes to them reach little of it"
        );
    }
}

#[test]
fn files_of_the_corpus_cut_anywhere_keep_the_promises() {
    for reader in Reader::ALL {
        for (path, bytes) in corpus::files(reader).unwrap() {
            for end in (0..bytes.len()).step_by(bytes.len() / 60 + 1) {
                let checked = reader.check(&bytes[..end]);
                assert!(
                    checked.is_ok(),
                    "{} cut at {end}: {}",
                    path.display(),
                    checked.unwrap_err()
                );
            }
        }
    }
}

#[test]
fn the_corpus_is_small() {
    for reader in Reader::ALL {
        for (path, bytes) in corpus::files(reader).unwrap() {
            assert!(bytes.len() < 10_000, "{} has {} bytes", path.display(), bytes.len());
        }
    }
}

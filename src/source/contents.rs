//! What is read of an input at once: all of it, unless it is a large file.

use std::{
    fs::File,
    io::{self, Read},
};

use super::{Input, InputError, input::read_file, is_packed};

/// Files larger than this, in bytes, need not be held whole.
pub const LARGE: usize = 1 << 20;

/// The bytes of an input.
#[derive(Debug)]
pub enum Contents {
    /// All of them.
    Whole(Vec<u8>),
    /// The first [`LARGE`] bytes of a file that has more, and the file, to be read on.
    Large(Vec<u8>, File),
}

impl Input {
    /// The bytes of the input, as [`Input::read`] gives them; of a large file that is not compressed the first ones.
    ///
    /// # Errors
    ///
    /// Those of [`Input::read`]. A large file may have any size.
    pub fn contents(&self) -> Result<Contents, InputError> {
        let Some(path) = self.file() else { return self.read().map(Contents::Whole) };
        let open = || -> io::Result<Contents> {
            let mut file = File::open(path)?;
            let about = file.metadata()?;
            if !about.is_file() || about.len() <= LARGE as u64 {
                return read_file(file, &about).map(Contents::Whole);
            }
            let mut head = Vec::with_capacity(LARGE);
            (&mut file).take(LARGE as u64).read_to_end(&mut head)?;
            Ok(Contents::Large(head, file))
        };
        match open().map_err(|error| self.error(error))? {
            Contents::Whole(bytes) => self.unpack(bytes).map(Contents::Whole),
            Contents::Large(head, _) if is_packed(&head) => self.read().map(Contents::Whole),
            large => Ok(large),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_large_file_is_not_read_whole() {
        let dir = tempfile::tempdir().unwrap();
        for size in [0, 10, LARGE, LARGE + 1] {
            let path = dir.path().join(size.to_string());
            std::fs::write(&path, vec![b'x'; size]).unwrap();
            let input = super::super::inputs(&[path]).next().unwrap().unwrap();
            match input.contents().unwrap() {
                Contents::Whole(bytes) => assert_eq!(bytes.len(), size.min(LARGE)),
                Contents::Large(head, mut file) => {
                    let mut rest = Vec::new();
                    file.read_to_end(&mut rest).unwrap();
                    assert_eq!((head.len(), rest.len()), (LARGE, size - LARGE));
                }
            }
        }
    }
}

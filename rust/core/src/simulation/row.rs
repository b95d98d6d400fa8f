//! Writes observations: sets as zeros and ones, and small numbers.

/// The bits of each byte as eight elements, the lowest first.
pub(crate) static SPREAD: [[i8; 8]; 256] = spread();

const fn spread() -> [[i8; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte][bit] = (byte >> bit & 1) as i8;
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// An observation that is written from its first element on.
pub struct Row<'a> {
    rest: &'a mut [i8],
}

impl<'a> Row<'a> {
    /// Begins at the first element.
    pub const fn new(row: &'a mut [i8]) -> Self {
        Self { rest: row }
    }

    /// Takes the next elements, as far as there are any.
    fn take(&mut self, count: usize) -> &'a mut [i8] {
        let rest = std::mem::take(&mut self.rest);
        let (next, rest) = rest.split_at_mut(count.min(rest.len()));
        self.rest = rest;
        next
    }

    /// Writes the lowest bits of a set, the lowest first, as zeros and ones.
    pub fn bits(&mut self, set: u64, count: usize) {
        let (words, last) = self.take(count).as_chunks_mut::<8>();
        let mut bytes = set.to_le_bytes().into_iter();
        for (word, byte) in words.iter_mut().zip(bytes.by_ref()) {
            *word = SPREAD[usize::from(byte)];
        }
        if let Some(byte) = bytes.next() {
            last.copy_from_slice(&SPREAD[usize::from(byte)][..last.len()]);
        }
    }

    /// Writes zeros and ones.
    pub fn flags(&mut self, flags: &[bool]) {
        for (element, &flag) in self.take(flags.len()).iter_mut().zip(flags) {
            *element = flag.into();
        }
    }

    /// Writes a number that fits.
    pub fn number(&mut self, number: impl TryInto<i8>) {
        if let Some(element) = self.take(1).first_mut() {
            *element = number.try_into().unwrap_or(i8::MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_written_from_its_first_element_on() {
        for count in 0..=64 {
            let set = 0x9e37_79b9_7f4a_7c15_u64;
            let mut elements = vec![7; count + 4];
            let mut row = Row::new(&mut elements);
            row.bits(set, count);
            row.flags(&[true, false]);
            row.number(-3);
            row.number(200_u8);
            let bits = (0..count).map(|bit| (set >> bit & 1) as i8);
            assert!(elements.into_iter().eq(bits.chain([1, 0, -3, 127])), "{count} bits");
        }
    }
}

//! Where results come from: the command, the processor and the compiler, without dates or names.

/// One line: `command; processor; compiler; instructions it could use`.
pub fn origin(command: &str) -> String {
    let processor = processor().unwrap_or_else(|| "unknown processor".into());
    format!("{command}; {processor}; {}; {}", env!("COMPILER_VERSION"), instructions())
}

/// The model in `/proc/cpuinfo`, where there is one.
fn processor() -> Option<String> {
    model(&std::fs::read_to_string("/proc/cpuinfo").ok()?)
}

fn model(description: &str) -> Option<String> {
    let line = description.lines().find(|line| line.starts_with("model name"))?;
    let (_, name) = line.split_once(':')?;
    Some(name.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Peers do not look at the processor while running, so it matters what they were compiled for.
fn instructions() -> &'static str {
    if cfg!(target_feature = "avx512f") {
        "compiled for AVX-512"
    } else if cfg!(target_feature = "avx2") {
        "compiled for AVX2"
    } else {
        "compiled for any processor"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_read_from_the_description() {
        let description = "processor\t: 0\nmodel name\t: Some CPU   @ 2 GHz\nflags\t: sse";
        assert_eq!(model(description).as_deref(), Some("Some CPU @ 2 GHz"));
        assert_eq!(model(""), None);
    }
}

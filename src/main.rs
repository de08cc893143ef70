//! The `qijian` command. Everything it does is a call of the library.

fn main() -> std::process::ExitCode {
    qijian::cli::run()
}

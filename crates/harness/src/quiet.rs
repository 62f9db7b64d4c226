use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static CAUGHT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs `body` and returns the message and place of its panic, should it panic. Nothing is printed then; panics
/// elsewhere in the process are reported as ever.
///
/// What `body` has changed is in an unknown state after a panic; callers throw it away.
pub(crate) fn catch<T>(body: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(install);
    let outer = CATCHING.replace(true);
    let result = catch_unwind(AssertUnwindSafe(body));
    CATCHING.set(outer);
    result.map_err(|_| CAUGHT.take())
}

fn install() {
    let default = take_hook();
    set_hook(Box::new(move |info| if CATCHING.get() { CAUGHT.set(describe(info)) } else { default(info) }));
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let message = info.payload_as_str().unwrap_or("a panic without a message");
    match info.location() {
        Some(place) => format!("{message} ({}:{})", place.file(), place.line()),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message of the panic that was caught is told, inside another catch too, and catching ends with it.
    #[test]
    fn catches_nest_and_end() {
        let outer = catch(|| {
            let inner = catch(|| -> () { panic!("inner {}", 1) });
            assert!(inner.is_err_and(|message| message.starts_with("inner 1 (")));
            panic!("outer");
        });
        assert!(outer.is_err_and(|message: String| message.starts_with("outer (") && message.contains("quiet.rs:")));
        assert!(!CATCHING.get());
        assert_eq!(catch(|| 7), Ok(7));
    }
}

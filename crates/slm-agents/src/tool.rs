//! The tools that an agent may name where nobody says which ones there are.

/// Tools that coding harnesses have, under their usual names.
const USUAL: &str = "\
    apply_patch ask ask_user bash browse build cat code_search create create_file definition delete delete_file diagnostics \
    diff edit edit_file exec execute fetch find find_files format git git_commit git_diff git_log git_status glob grep http \
    insert inspect lint list list_dir list_directory list_files ls lsp memory move move_file multi_edit notebook open patch \
    python read read_file references remember rename rename_file replace ripgrep run run_command run_test run_tests search \
    search_code search_files shell sql str_replace symbols task terminal test think todo tree undo view view_file web_fetch \
    web_search write write_file";

/// The usual names.
pub(crate) fn usual() -> impl Iterator<Item = &'static str> {
    USUAL.split(' ')
}

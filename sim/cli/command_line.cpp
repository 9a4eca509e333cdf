// The command line: every option of every command. Nothing else knows CLI11, which is slow to compile.
#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include "sim/cli/commands.hpp"

extern "C" {
#include "isa/base/text.h"
}

namespace npusim {

// ---- options that several commands share ----

static bool is_tolerance(const std::string &w) { return w == "exact" || w.rfind("atol=", 0) == 0 || w.rfind("rtol=", 0) == 0 || w.rfind("ulp=", 0) == 0; }

// --expect takes its tolerances as further words, NAME=FILE atol=1e-6 rtol=1e-5: they are joined to the
// word they belong to, so that every option takes one word and the trace may follow it.
static std::vector<std::string> join_tolerances(int argc, char **argv) {
    std::vector<std::string> out;
    bool expected = false, next = false; // the last word is an expectation, or the next one will be
    for (int i = 0; i < argc; i++) {
        std::string w = argv[i];
        if (expected && is_tolerance(w)) {
            out.back() += " " + w;
            continue;
        }
        expected = next || w.rfind("--expect=", 0) == 0;
        next = w == "--expect";
        out.push_back(std::move(w));
    }
    return out;
}

// CLI11 reads with strtoull, which wraps what is negative and cuts what is too large.
static const CLI::Validator kWhole(
    [](std::string &s) {
        errno = 0;
        std::strtoull(s.c_str(), nullptr, 0);
        const bool fits = s.find('-') == std::string::npos && errno != ERANGE;
        return fits ? std::string() : "expected a whole number from 0 to " + std::to_string(UINT64_MAX) + ", found " + s;
    },
    "");

// An option that may be given several times.
static void add_list(CLI::App *app, const char *name, std::vector<std::string> *list, const char *what, const char *type) {
    app->add_option(name, *list, std::string(what) + "; repeatable")->type_name(type)->take_all()->allow_extra_args(false);
}

static void add_target_options(CLI::App *app, CommonOptions *o) {
    app->add_option("--target", o->target, "a2a3, 950 (also a2, a3, a5) or a target file")->type_name("NAME|FILE.yaml");
    add_list(app, "--set", &o->sets, "override a key of the target file", "KEY=VALUE");
}

static void add_run_options(CLI::App *app, CommonOptions *o) {
    add_list(app, "--arg", &o->args, "bind a function argument: FILE.npy, zeros:32x32xf32, random(16x64xf32, seed=1), a number", "NAME=VALUE");
    add_list(app, "--init", &o->inits, "fill a tile when it is declared: a fill of the trace format, or a file", "%TILE=SPEC");
    app->add_option("--results", o->results, "off: timing only, no data is computed")->check(CLI::IsMember({"on", "off"}))->capture_default_str();
    app->add_option("--checks", o->checks, "basic: legality, ranges, tmp, aliases, order by range; full: every byte of UB; off")->check(CLI::IsMember({"basic", "full", "off"}))->capture_default_str();
    app->add_option("--sync", o->sync, "how dependences are ordered (default: as-written if the trace has flags or barriers, else auto)")
        ->check(CLI::IsMember({"auto", "as-written", "ideal"}));
    add_list(app, "--suppress", &o->suppress, "leave a diagnostic out, everywhere or in one line", "ID[:LINE]");
    app->add_flag("--stale", o->stale, "a reader that nothing orders after its writer sees the old bytes (--sync as-written)");
    app->add_option("--on-error", o->on_error, "continue shows what the hardware would leave behind")->check(CLI::IsMember({"stop", "continue"}))->capture_default_str();
    app->add_option("--seed", o->seed, "for random fills")->check(kWhole)->capture_default_str();
    app->add_option("--entry", o->entry, "which function of the file")->type_name("NAME");
    app->add_option("--blocks", o->blocks, "SPMD block count; all of them run and the report is about the slowest")->check(CLI::Range(1, 65535))->capture_default_str();
    app->add_option("--block", o->block, "SPMD block index: this one alone")->check(kWhole)->type_name("N");
    app->add_option("--subblocks", o->subblocks, "vector cores that a block runs on")->check(CLI::Range(1, 255))->capture_default_str();
    app->add_option("--subblock", o->subblock, "this one alone")->check(kWhole)->type_name("N");
    app->add_option("--quantum", o->quantum, "micro-ops a pipe may run ahead of the kernel, 0: unlimited; never changes a result")->capture_default_str();
    app->add_flag("--arbitrate", o->arbitrate, "a2a3: pipes contend for bank groups of UB (assumed; off: they do not); forces --quantum 1");
    app->add_flag("--step", o->step, "950: step every cycle instead of skipping steady states; never changes a result");
}

static void add_report_options(CLI::App *app, CommonOptions *o, const std::vector<std::string> &forms) {
    app->add_option("--report", o->report, "form of the report")->check(CLI::IsMember(forms))->capture_default_str();
    app->add_option("-o,--output", o->output, "write the report to a file")->type_name("FILE");
    app->add_option("--color", o->color, "colour of text")->check(CLI::IsMember({"auto", "always", "never"}))->capture_default_str();
    app->add_option("--progress", o->progress, "line with what is done, for work longer than a second (auto: on a terminal)")
        ->check(CLI::IsMember({"auto", "always", "never"}))->capture_default_str();
    app->add_flag("--quiet", o->quiet, "no notes");
}

// Timeline, waveform, tables for other tools.
static void add_file_options(CLI::App *app, CommonOptions *o) {
    app->add_option("--timeline", o->timeline, "Chrome trace events for Perfetto")->type_name("FILE.json");
    app->add_option("--vcd", o->vcd, "waveform of pipes and queues (GTKWave)")->type_name("FILE.vcd");
    app->add_option("--tables", o->tables, "write instr_exe.csv, code_exe.csv and pipeline_summary.csv there")->type_name("FOLDER");
}

// TRACE, target, and the options of running one and reporting it.
static void add_trace_options(CLI::App *app, CommonOptions *o) {
    app->add_option("trace", o->trace, "PTO assembly text; - is standard input")->required()->type_name("TRACE");
    add_target_options(app, o);
    add_run_options(app, o);
    app->add_flag("--show-sync", o->show_sync, "list the flags and barriers that --sync auto inserts, with event ids and reasons");
    add_list(app, "--dump", &o->dumps, "write a buffer or a tile's valid region afterwards (.npy or .bin)", "NAME=FILE");
    add_list(app, "--print", &o->prints, "print values afterwards", "NAME");
    add_list(app, "--expect", &o->expects, "compare afterwards: NAME=FILE [exact | atol=.. rtol=.. | ulp=..]", "NAME=FILE");
    add_report_options(app, o, {"text", "json", "csv", "html"});
    add_file_options(app, o);
}

// ---- commands; a callback keeps the options of its command ----

static void add_run(CLI::App &app, int *status) {
    auto o = std::make_shared<CommonOptions>();
    CLI::App *cmd = app.add_subcommand("run", "run a trace; print results asked for and a cycle report");
    add_trace_options(cmd, o.get());
    cmd->footer("Examples:\n  npusim run traces/row_argmin.pto --target 950\n"
                "  npusim run kernel.pto --arg x=x.npy --arg n=128 --dump out=out.npy --report json -o report.json\n"
                "  npusim run kernel.pto --results off --set uops.vmax.latency=20");
    cmd->callback([o, status] { *status = run(*o); });
}

static void add_profile(CLI::App &app, int *status) {
    auto o = std::make_shared<ProfileOptions>();
    CLI::App *cmd = app.add_subcommand("profile", "where the cycles of a trace go, or what one instruction costs");
    cmd->add_option("trace", o->trace, "PTO assembly text; - is standard input")->type_name("TRACE");
    cmd->add_option("--by", o->by, "rows of the table of a trace")->check(CLI::IsMember({"instr", "op", "line", "stage"}))->capture_default_str();
    cmd->add_option("--top", o->top, "rows of the tables and of the timeline")->check(kWhole)->capture_default_str();
    cmd->add_option("--window", o->window, "cycles of the timeline")->type_name("A:B");
    cmd->add_option("--op", o->op, "instruction")->type_name("OP");
    cmd->add_option("--dtype", o->dtype, "element type")->capture_default_str();
    cmd->add_option("--dst-dtype", o->dst_dtype, "type of a converted or index result");
    cmd->add_option("--shape", o->shape, "valid region")->type_name("ROWSxCOLS");
    add_list(cmd, "--sweep", &o->sweeps, "costs over shapes: cols=64:8192:x2, rows=1:300:+1", "cols|rows=FROM:TO:STEP");
    cmd->add_option("--rows", o->rows, "rows of a sweep over cols")->type_name("N");
    cmd->add_option("--cols", o->cols, "columns of a sweep over rows")->type_name("N");
    cmd->add_option("--tile", o->tile, "storage (default: the valid region)")->type_name("ROWSxCOLS");
    cmd->add_option("--layout", o->layout, "operand addresses: spread (operand k at k x 64 KiB where that fits), packed (one after the other from 0), or a list; banks depend on it")
        ->capture_default_str()->type_name("spread|packed|ADDR,ADDR,...");
    cmd->add_flag("--both", o->both, "the form with value and index");
    cmd->add_flag("--dynamic", o->dynamic, "valid region given at run time (`?`)");
    cmd->add_flag("--tmp", o->tmp, "give an optional tmp tile");
    cmd->add_option("--batch", o->batch, "CSV with target,op,dtype,dst_dtype,rows,cols,tile_rows,tile_cols[,layout][,form]; - is standard input")->type_name("FILE.csv");
    add_list(cmd, "--target", &o->targets, "target (default: both)", "NAME|FILE.yaml");
    add_list(cmd, "--set", &o->sets, "override a key of the target file", "KEY=VALUE");
    add_run_options(cmd, o.get());
    add_report_options(cmd, o.get(), {"text", "json", "csv", "html", "svg"});
    add_file_options(cmd, o.get());
    cmd->footer("Examples:\n  npusim profile traces/row_argmin.pto --by op\n  npusim profile kernel.pto --report html -o kernel.html\n"
                "  npusim profile --op trowargmin --dtype f16 --rows 16 --sweep cols=64:8192:x2 --report svg -o cost.svg\n  npusim profile --op trowargmin --dtype f32 --shape 16x256 --target a2a3\n"
                "  npusim profile --op tmax --dtype f32 --shape 64x64 --layout 0,0x10100,0x20000 --target a2a3\n"
                "  npusim profile --batch shapes.csv -o costs.csv");
    cmd->callback([o, status] { *status = profile(*o); });
}

static void add_compare(CLI::App &app, int *status) {
    auto o = std::make_shared<CompareOptions>();
    o->on_error = "continue"; // what is illegal on one target is a finding, not the end
    CLI::App *cmd = app.add_subcommand("compare", "a trace on two targets, or two saved JSON reports, side by side");
    cmd->add_option("input", o->inputs, "a trace, or two files written with --report json")->required()->expected(1, 2)->type_name("TRACE | OLD.json NEW.json");
    add_list(cmd, "--target", &o->targets, "the two targets (default: a2a3 and 950)", "NAME|FILE.yaml");
    add_list(cmd, "--set", &o->sets, "override a key of the target files; each takes those it has", "KEY=VALUE");
    cmd->add_flag("--conformance", o->conformance, "one target, document against library");
    cmd->add_option("--fail-above", o->fail_above, "exit 1 if the second total is larger by more than this")->type_name("PERCENT");
    cmd->add_option("--top", o->top, "rows of the text")->check(kWhole)->capture_default_str();
    add_run_options(cmd, o.get());
    add_report_options(cmd, o.get(), {"text", "json", "csv"});
    cmd->footer("Examples:\n  npusim compare traces/row_argmin.pto\n  npusim compare kernel.pto --conformance --target 950\n"
                "  npusim compare old.json new.json --fail-above 5%");
    cmd->callback([o, status] { *status = compare(*o); });
}

static void add_lower(CLI::App &app, int *status) {
    auto o = std::make_shared<LowerOptions>();
    CLI::App *cmd = app.add_subcommand("lower", "the micro-operations of a trace, one line each");
    cmd->add_option("trace", o->trace, "PTO assembly text; - is standard input")->required()->type_name("TRACE");
    add_target_options(cmd, o.get());
    add_run_options(cmd, o.get());
    add_report_options(cmd, o.get(), {"text"});
    cmd->add_flag("--no-cycles", o->no_cycles, "no times, so that only changes of the micro-operations show in a diff");
    cmd->footer("Examples:\n  npusim lower traces/row_argmin.pto --target a2a3\n"
                "  npusim lower kernel.pto --target 950 --no-cycles -o kernel.950.txt");
    cmd->callback([o, status] { *status = lower(*o); });
}

static void add_check(CLI::App &app, int *status) {
    auto o = std::make_shared<CheckOptions>();
    o->common.checks = "full";
    o->common.check_only = true;
    CLI::App *cmd = app.add_subcommand("check", "legality, memory, order and machine state of a trace, without input data");
    cmd->add_option("trace", o->traces, "PTO assembly text; - is standard input; with --coverage also directories")->type_name("TRACE");
    cmd->add_flag("--coverage", o->coverage, "what each of the traces would need that npusim does not have, on both targets or on --target");
    cmd->add_flag("--list", o->list, "the rules");
    cmd->add_option("--explain", o->explain, "one rule")->type_name("ID");
    add_target_options(cmd, &o->common);
    add_run_options(cmd, &o->common);
    add_report_options(cmd, &o->common, {"text", "json", "sarif", "csv"});
    cmd->footer("Examples:\n  npusim check kernel.pto --target a2a3\n  npusim check kernel.pto --on-error continue --report sarif -o kernel.sarif\n"
                "  npusim check --coverage build_output --report csv -o needs.csv\n  npusim check --explain TMP_SMALL");
    cmd->callback([o, status] { *status = check(*o); });
}

static void add_isa(CLI::App &app, int *status) {
    auto o = std::make_shared<IsaOptions>();
    CLI::App *cmd = app.add_subcommand("isa", "the instruction table: operands, types per target, lowering");
    cmd->add_option("op", o->op, "one instruction")->type_name("OP");
    cmd->add_option("--report", o->report, "text or json")->check(CLI::IsMember({"text", "json"}))->capture_default_str();
    cmd->add_flag("--markdown", o->markdown, "the reference page of the documentation");
    cmd->add_option("-o,--output", o->output, "write to a file")->type_name("FILE");
    cmd->footer("Examples:\n  npusim isa\n  npusim isa tmins\n  npusim isa --markdown -o docs/instructions.md");
    cmd->callback([o, status] { *status = isa(*o); });
}

static void add_targets(CLI::App &app, int *status) {
    auto o = std::make_shared<TargetsOptions>();
    CLI::App *cmd = app.add_subcommand("targets", "the known targets and every parameter with its provenance");
    cmd->add_option("name", o->name, "one target, or a target file")->type_name("NAME|FILE.yaml");
    add_list(cmd, "--set", &o->sets, "override a key", "KEY=VALUE");
    cmd->add_option("--report", o->report, "text or json")->check(CLI::IsMember({"text", "json"}))->capture_default_str();
    cmd->add_option("-o,--output", o->output, "write to a file")->type_name("FILE");
    cmd->footer("Examples:\n  npusim targets\n  npusim targets a2a3\n  npusim targets my.yaml --report json");
    cmd->callback([o, status] { *status = targets(*o); });
}

// ---- what is wrong with it ----

// The option or command that was probably meant; "" if none is similar.
static std::string meant(const CLI::App *cmd, const std::string &word) {
    std::vector<std::string> names;
    for (const CLI::Option *option : cmd->get_options())
        for (const std::string &name : option->get_lnames()) names.push_back("--" + name);
    for (const CLI::App *sub : cmd->get_subcommands({})) names.push_back(sub->get_name());
    const std::string key = word.substr(0, word.find('='));
    Nearest n = nearest_to(key.c_str());
    for (const std::string &name : names) nearest_try(&n, name.c_str());
    return n.best ? n.best : "";
}

// A word that nothing takes. CLI11 keeps the values of unknown options too, in no helpful order.
static std::string extra_word(const CLI::App *cmd) {
    const std::vector<std::string> words = cmd->remaining();
    for (const std::string &w : words)
        if (w[0] == '-') return w;
    return words.empty() ? "nothing" : words.front();
}

static const std::string kNoNumber = "Could not convert: "; // CLI11 goes on with OPTION = VALUE

// CLI11's message in the form that all messages have: the option in front, the rule behind.
static int usage_error(const CLI::App &app, const CLI::ParseError &e) {
    const bool none = app.get_subcommands().empty();
    const CLI::App *cmd = none ? &app : app.get_subcommands().front();
    const std::string command = none ? "npusim" : "npusim " + cmd->get_name();
    std::string place = command, text = e.what(), hint = command + " --help lists " + (none ? "the commands" : "the options");
    if (none || dynamic_cast<const CLI::ExtrasError *>(&e)) {
        const std::string word = extra_word(cmd), near = meant(cmd, word);
        text = std::string("expected ") + (none ? "a command" : word[0] == '-' ? "an option" : "no further argument") + ", found " + word;
        if (!near.empty()) hint = "did you mean '" + near + "'? " + hint;
    } else if (size_t value = text.find(" = "); text.rfind(kNoNumber, 0) == 0 && value != std::string::npos) {
        place = text.substr(kNoNumber.size(), value - kNoNumber.size());
        text = "expected a number, found " + text.substr(value + 3);
    } else if (size_t colon = text.find(": "); text[0] == '-' && colon != std::string::npos) {
        place = text.substr(0, colon);
        text.erase(0, colon + 2);
    }
    Diag *d = diag_new();
    diag(d, DIAG_USAGE, Loc{place.c_str(), 0, 0}, "%s\n%s", text.c_str(), hint.c_str());
    return finish(d);
}

int command_line(int argc, char **argv) {
    int status = EXIT_OK;
    CLI::App app{"npusim: runs PTO tile instructions on a modelled Ascend vector core (a2a3, 950) and reports results and cycles"};
    app.set_version_flag("--version", "npusim " NPUSIM_VERSION);
    app.require_subcommand(1);
    app.footer("Example:\n  npusim run traces/row_argmin.pto --target a2a3\nEvery command has --help.");
    add_run(app, &status);
    add_profile(app, &status);
    add_compare(app, &status);
    add_lower(app, &status);
    add_check(app, &status);
    add_isa(app, &status);
    add_targets(app, &status);
    const std::vector<std::string> words = join_tolerances(argc, argv);
    std::vector<const char *> list;
    for (const std::string &w : words) list.push_back(w.c_str());
    try {
        app.parse(static_cast<int>(list.size()), list.data());
    } catch (const CLI::ParseError &e) {
        return e.get_exit_code() ? usage_error(app, e) : app.exit(e); // help and version are no errors
    }
    return status;
}

}  // namespace npusim

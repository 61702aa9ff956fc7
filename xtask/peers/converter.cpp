// Times llama.cpp's own converter from JSON Schema to GBNF, which the prebuilt module exports: from inside, so that no
// Python is measured. Built with the module's own string ABI; see `cargo xtask bench`.
#include <algorithm>
#include <chrono>
#include <exception>
#include <string>
#include <vector>

// The module's own type for JSON. Only its functions look inside; it needs less room than this.
struct common_json {
    static common_json parse(const std::string & text);
    common_json(common_json && other);
    ~common_json();
    alignas(16) char room[256];
};

std::string json_schema_to_grammar(const common_json & schema, bool force_gbnf);

// The median of `rounds` conversions in nanoseconds; below zero where the converter refuses the schema.
extern "C" double median_conversion(const char * text, int rounds) {
    try {
        common_json schema = common_json::parse(text);
        std::vector<double> times;
        for (int round = 0; round < rounds; round++) {
            auto begun = std::chrono::steady_clock::now();
            std::string grammar = json_schema_to_grammar(schema, true);
            auto done = std::chrono::steady_clock::now();
            if (grammar.find("root ::=") == std::string::npos) return -2;
            times.push_back(std::chrono::duration<double, std::nano>(done - begun).count());
        }
        std::sort(times.begin(), times.end());
        return times[times.size() / 2];
    } catch (const std::exception &) {
        return -1;
    }
}

static const StreamCase stream_cases[] = {
    {"binary, narrower than a repeat", I_TADD, DT_F32, DT_F32, {8, 48}, {8, 48}, {8, 48}, 0, ""},
};

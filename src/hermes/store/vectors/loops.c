/* The two loops of a search that touch every row: see loops.py, which says what they give.

   Plain C, made several times for what processors of one kind can do more of; the one that runs is
   chosen when it is called. Built without fused operations, so that signs are weighed to the same
   last bit as by numpy. */

#include <stdint.h>

#define VERSION 1 /* goes up with any change of what is called; loops_compiled.py asks for it */
#define STRIP 64 /* rows weighed at once: their counts stay in registers */
#define AHEAD 8  /* rows fetched before they are needed */

#if defined(__x86_64__) && defined(__GNUC__)
#define FOR(features) __attribute__((target(features)))
#define HAS_VARIANTS 1
#else
#define HAS_VARIANTS 0
#endif
#define INLINE static inline __attribute__((always_inline))

struct question {
    const uint64_t *signs, *mask;
    const int16_t *low_by, *high_by;
    int32_t words, half;
    float start, step, unit, middle, base;
};

struct rows {
    const uint64_t *signs; /* blocks of `block` rows, each word by word */
    const uint8_t *levels; /* row by row, two to a byte */
    const float *scales, *bases;
    int64_t block;
};

INLINE float cosine_of(uint64_t differing, const struct question *asked, float scale, float base)
{
    return ((float)(int32_t)differing * asked->step + asked->start) * scale + base;
}

INLINE void weigh_block(const struct rows *of, const struct question *asked, int64_t first,
                        int64_t count, float *found)
{
    const uint64_t *block = of->signs + first * asked->words;
    for (int64_t at = 0; at < count; at += STRIP) {
        uint64_t differing[STRIP] = {0};
        for (int32_t w = 0; w < asked->words; w++) {
            const uint64_t *word = block + w * of->block + at;
            for (int i = 0; i < STRIP; i++)
                differing[i] += (uint64_t)__builtin_popcountll((word[i] ^ asked->signs[w]) & asked->mask[w]);
        }
        int64_t left = count - at < STRIP ? count - at : STRIP;
        for (int64_t i = 0; i < left; i++)
            found[at + i] = cosine_of(differing[i], asked, of->scales[first + at + i],
                                      of->bases[first + at + i]);
    }
}

INLINE void weigh_any(const struct rows *of, const struct question *asked, int64_t first,
                      int64_t count, float *found)
{
    for (int64_t at = 0; at < count; at += of->block) {
        int64_t some = count - at < of->block ? count - at : of->block;
        weigh_block(of, asked, first + at, some, found + at);
    }
}

INLINE void weigh_rows_any(const struct rows *of, const struct question *asked,
                           const int64_t *places, int64_t count, float *found)
{
    for (int64_t n = 0; n < count; n++) {
        int64_t row = places[n], within = row % of->block;
        const uint64_t *block = of->signs + (row - within) * asked->words + within;
        uint64_t differing = 0;
        for (int32_t w = 0; w < asked->words; w++)
            differing += (uint64_t)__builtin_popcountll((block[w * of->block] ^ asked->signs[w]) & asked->mask[w]);
        found[n] = cosine_of(differing, asked, of->scales[row], of->bases[row]);
    }
}

INLINE void estimate_any(const struct rows *of, const struct question *asked,
                         const int64_t *places, int64_t count, float *found)
{
    const int32_t half = asked->half;
    for (int64_t n = 0; n < count; n++) {
        const uint8_t *row = of->levels + places[n] * half;
        if (n + AHEAD < count)
            for (int32_t i = 0; i < half; i += 64)
                __builtin_prefetch(of->levels + places[n + AHEAD] * half + i);
        int32_t sum = 0;
        for (int32_t i = 0; i < half; i++) {
            int16_t low = row[i] & 15, high = row[i] >> 4;
            sum += asked->low_by[i] * low + asked->high_by[i] * high;
        }
        float along = (float)sum * asked->unit - asked->middle;
        found[n] = along * of->scales[places[n]] + of->bases[places[n]] + asked->base;
    }
}

#define VARIANT(name, features)                                                                    \
    features static void weigh_##name(const struct rows *of, const struct question *asked,         \
                                      int64_t first, int64_t count, float *found)                  \
    { weigh_any(of, asked, first, count, found); }                                                 \
    features static void weigh_rows_##name(const struct rows *of, const struct question *asked,    \
                                           const int64_t *places, int64_t count, float *found)     \
    { weigh_rows_any(of, asked, places, count, found); }                                           \
    features static void estimate_##name(const struct rows *of, const struct question *asked,      \
                                         const int64_t *places, int64_t count, float *found)       \
    { estimate_any(of, asked, places, count, found); }

VARIANT(plain, )
#if HAS_VARIANTS
VARIANT(avx2, FOR("avx2,popcnt"))
VARIANT(avx512, FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,popcnt"))
#endif

enum { NONE = -1, PLAIN, AVX2, AVX512 };

/* The best variant this processor can run; none where numpy is faster, for want of a way to count
   bits. */
int32_t hermes_best_variant(void)
{
#if HAS_VARIANTS
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"))
        return AVX2;
    return NONE;
#else
    return PLAIN;
#endif
}

#if HAS_VARIANTS
#define RUN(loop, ...)                                                                             \
    if (variant == AVX512) loop##_avx512(__VA_ARGS__);                                             \
    else if (variant == AVX2) loop##_avx2(__VA_ARGS__);                                            \
    else loop##_plain(__VA_ARGS__)
#else
#define RUN(loop, ...) loop##_plain(__VA_ARGS__); (void)variant
#endif

int32_t hermes_loops_version(void) { return VERSION; }

/* `first` begins a block; the signs behind the last row, to the end of its block, are read, too. */
void hermes_weigh(const struct rows *of, const struct question *asked, int64_t first,
                  int64_t count, float *found, int32_t variant)
{
    RUN(weigh, of, asked, first, count, found);
}

void hermes_weigh_rows(const struct rows *of, const struct question *asked, const int64_t *places,
                       int64_t count, float *found, int32_t variant)
{
    RUN(weigh_rows, of, asked, places, count, found);
}

void hermes_estimate(const struct rows *of, const struct question *asked, const int64_t *places,
                     int64_t count, float *found, int32_t variant)
{
    RUN(estimate, of, asked, places, count, found);
}

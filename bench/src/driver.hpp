// What our programs that call C++ libraries share.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

// Nanoseconds of the processor on this thread.
static long long now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1000000000LL * time.tv_sec + time.tv_nsec;
}

// The next value of a file, or the end of the program if there is none.
template <typename T> static T next(FILE *file) {
    T value{};
    if (std::fread(&value, sizeof value, 1, file) != 1) std::exit(2);
    return value;
}

// The weighted Delaunay triangulation of a file of points by CGAL, again and again.
//
// Argument: a file of little-endian doubles x, y, z, weight. The first line printed is "ready". For every line of standard input the
// triangulation is built again, and a line gives: nanoseconds of the processor, finite cells, visible
// vertices, bytes held.

#include "driver.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Regular_triangulation_3.h>

#include <malloc.h>
#include <string>
#include <vector>

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Triangulation = CGAL::Regular_triangulation_3<Kernel>;

static size_t held() {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    FILE *file = std::fopen(arguments[1], "rb");
    if (!file) return 2;
    std::vector<Triangulation::Weighted_point> points;
    double values[4];
    while (std::fread(values, sizeof values, 1, file) == 1)
        points.emplace_back(Kernel::Point_3(values[0], values[1], values[2]), values[3]);
    std::fclose(file);
    std::printf("ready\n");
    std::fflush(stdout);
    char line[16];
    while (std::fgets(line, sizeof line, stdin)) {
        const size_t before = held();
        const long long start = now();
        Triangulation triangulation;
        triangulation.insert(points.begin(), points.end());
        const long long elapsed = now() - start;
        std::printf("%lld %zu %zu %zu\n", elapsed, size_t(triangulation.number_of_finite_cells()),
                    size_t(triangulation.number_of_vertices()), held() - before);
        std::fflush(stdout);
    }
    return 0;
}

// Inside or outside of a mesh by CGAL's Side_of_triangle_mesh, all points once per line of standard input.
//
// Arguments: a file with the questions and one for the answers. The first holds little-endian numbers: how
// many vertices, triangles and points there are (64 bits each), the vertices (three doubles each), the
// triangles (three 32-bit numbers each) and the points (three doubles each). The first line printed is
// "ready". For every line of standard input the structure is built from a Surface_mesh and answers for all
// points; the second file gets a byte for each: 0 outside, 1 inside, 2 on the surface; and a line gives the
// nanoseconds of the processor for building and for answering.

#include "driver.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/bbox.h>
#include <CGAL/Side_of_triangle_mesh.h>
#include <CGAL/Surface_mesh.h>

#include <vector>

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Mesh = CGAL::Surface_mesh<Point>;
using Sides = CGAL::Side_of_triangle_mesh<Mesh, Kernel>;

static Point point(FILE *file) {
    const double x = next<double>(file), y = next<double>(file);
    return Point(x, y, next<double>(file));
}

static unsigned char code(CGAL::Bounded_side side) {
    if (side == CGAL::ON_BOUNDARY) return 2;
    return side == CGAL::ON_BOUNDED_SIDE ? 1 : 0;
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    FILE *file = std::fopen(arguments[1], "rb");
    if (!file) return 2;
    const auto vertices = next<std::uint64_t>(file), triangles = next<std::uint64_t>(file);
    const auto asked = next<std::uint64_t>(file);
    Mesh mesh;
    for (std::uint64_t vertex = 0; vertex < vertices; ++vertex) mesh.add_vertex(point(file));
    for (std::uint64_t triangle = 0; triangle < triangles; ++triangle) {
        const auto a = next<std::uint32_t>(file), b = next<std::uint32_t>(file);
        const auto c = next<std::uint32_t>(file);
        const auto face = mesh.add_face(Mesh::Vertex_index(a), Mesh::Vertex_index(b), Mesh::Vertex_index(c));
        if (face == Mesh::null_face()) {
            std::printf("it does not take triangle %llu\n", (unsigned long long)triangle);
            return 0;
        }
    }
    std::vector<Point> points;
    for (std::uint64_t number = 0; number < asked; ++number) points.push_back(point(file));
    std::fclose(file);
    const CGAL::Bbox_3 box = CGAL::Polygon_mesh_processing::bbox(mesh);
    const Point center((box.xmin() + box.xmax()) / 2, (box.ymin() + box.ymax()) / 2, (box.zmin() + box.zmax()) / 2);

    std::printf("ready\n");
    std::fflush(stdout);
    std::vector<unsigned char> answers(asked);
    char line[16];
    while (std::fgets(line, sizeof line, stdin)) {
        const long long start = now();
        const Sides sides(mesh);
        // The tree is built when it is first needed.
        sides(center);
        const long long built = now();
        for (std::uint64_t number = 0; number < asked; ++number) answers[number] = code(sides(points[number]));
        const long long answered = now();
        FILE *out = std::fopen(arguments[2], "wb");
        if (!out || std::fwrite(answers.data(), 1, asked, out) != asked) return 2;
        std::fclose(out);
        std::printf("%lld %lld\n", built - start, answered - built);
        std::fflush(stdout);
    }
    return 0;
}

// Distances of two copies of a convex body by coal, again and again.
//
// Arguments: a file with the body and its poses, and a file for the distances. The first holds little-endian
// numbers: how many corners, triangles and pairs of poses there are (64 bits each), the corners (three
// doubles each), the triangles (three 32-bit numbers each), and of every pose its rotation by rows and its
// position (twelve doubles). Every line of standard input names how a search begins: "centers" from the
// centers of the bodies' boxes, or "last" from what was found last. The first line printed is "ready". All distances are found and written, and
// a line gives the nanoseconds of the processor.

#include "driver.hpp"

#include <coal/distance.h>
#include <coal/shape/convex.h>

#include <memory>
#include <string>
#include <vector>

// Coarser ones differ from the true distance by more than rounding.
static const double TOLERANCE = 1e-12;

static coal::Transform3s pose(FILE *file) {
    coal::Matrix3s rotation;
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column) rotation(row, column) = next<double>(file);
    coal::Vec3s position;
    for (int axis = 0; axis < 3; ++axis) position[axis] = next<double>(file);
    return coal::Transform3s(rotation, position);
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    FILE *file = std::fopen(arguments[1], "rb");
    if (!file) return 2;
    const auto corners = next<std::uint64_t>(file), triangles = next<std::uint64_t>(file);
    const auto pairs = next<std::uint64_t>(file);
    auto points = std::make_shared<std::vector<coal::Vec3s>>();
    for (std::uint64_t corner = 0; corner < corners; ++corner) {
        const double x = next<double>(file), y = next<double>(file), z = next<double>(file);
        points->emplace_back(x, y, z);
    }
    auto faces = std::make_shared<std::vector<coal::Triangle>>();
    for (std::uint64_t triangle = 0; triangle < triangles; ++triangle) {
        const auto a = next<std::uint32_t>(file), b = next<std::uint32_t>(file);
        faces->emplace_back(a, b, next<std::uint32_t>(file));
    }
    std::vector<coal::Transform3s> first, second;
    for (std::uint64_t pair = 0; pair < pairs; ++pair) {
        first.push_back(pose(file));
        second.push_back(pose(file));
    }
    std::fclose(file);

    coal::Convex<coal::Triangle> body(points, unsigned(corners), faces, unsigned(triangles));
    body.computeLocalAABB();
    const coal::ComputeDistance distance(&body, &body);
    std::vector<double> distances(pairs);
    std::printf("ready\n");
    std::fflush(stdout);
    char line[16];
    while (std::fgets(line, sizeof line, stdin)) {
        const bool last = std::string(line) == "last\n";
        coal::DistanceRequest request;
        request.gjk_tolerance = TOLERANCE;
        request.gjk_initial_guess = last ? coal::GJKInitialGuess::CachedGuess
                                         : coal::GJKInitialGuess::BoundingVolumeGuess;
        coal::DistanceResult result;
        const long long start = now();
        for (std::uint64_t pair = 0; pair < pairs; ++pair) {
            result.clear();
            distances[pair] = distance(first[pair], second[pair], request, result);
            if (last) request.updateGuess(result);
        }
        const long long elapsed = now() - start;
        FILE *out = std::fopen(arguments[2], "wb");
        if (!out || std::fwrite(distances.data(), sizeof(double), pairs, out) != pairs) return 2;
        std::fclose(out);
        std::printf("%lld\n", elapsed);
        std::fflush(stdout);
    }
    return 0;
}

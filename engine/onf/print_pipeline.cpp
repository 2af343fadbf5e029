#include "engine/onf/print_pipeline.hpp"

#include "engine/onf/print.hpp"

namespace rhopsi::onf {

namespace {

std::string one_axis(const Margin& margin) { return to_string(Halo{{margin}, false}); }

// ", rows [1+1]" in tiles.
std::string rows_of(const Pipeline& pipeline, const Margin& rows) {
  return pipeline.tiles ? ", rows " + one_axis(rows) : std::string();
}

// "teams of 640 threads of 3 rows, tiles of 26 x 60, 32 planes at least"
std::string teams_of(const TeamTile& teams) {
  std::string sides;
  for (const std::int64_t side : teams.sides) {
    sides += (sides.empty() ? "" : " x ") + std::to_string(side);
  }
  return "teams of " + std::to_string(teams.threads) + " threads of " + std::to_string(teams.rows) +
         (teams.rows == 1 ? " row" : " rows") + ", tiles of " + sides + ", " +
         std::to_string(teams.planes) + (teams.planes == 1 ? " plane" : " planes") + " at least";
}

std::string ring_of(const Function& function, const Pipeline& pipeline,
                    const Pipeline::Ring& ring) {
  const View& view = function.views[number(ring.view)];
  return "ring " + view.name + ": " + to_string(function.blocks[number(view.block)].element) +
         ", " + std::to_string(ring.planes) + " planes " + to_string(ring.halo) +
         (pipeline.tiles ? ", keeps " + std::to_string(ring.kept) + " rows" : "");
}

std::string seam_of(const Function& function, const Pipeline& pipeline,
                    const Pipeline::Seam& seam) {
  return "seam " + function.views[number(seam.view)].name + " " + one_axis(seam.planes) +
         rows_of(pipeline, seam.rows) +
         (pipeline.tiles ? ", " + std::to_string(seam.next) + " for the next tile" : "");
}

// Of each axis.
Halo beyond_team(const Pipeline::Stage& stage) {
  Halo halo{{stage.beyond, stage.rows}, false};
  halo.axes.insert(halo.axes.end(), stage.further.begin(), stage.further.end());
  return halo;
}

}  // namespace

std::string to_string(const CacheTile& tiles) {
  return "tiles of rows, " + std::to_string(tiles.bytes) + " bytes for each element" +
         (tiles.most ? ", at most " + std::to_string(*tiles.most) + " rows" : "");
}

std::vector<std::string> parts_of(const Function& function, const Pipeline& pipeline) {
  std::vector<std::string> parts;
  if (pipeline.tiles) parts.push_back(to_string(*pipeline.tiles));
  if (pipeline.teams) parts.push_back(teams_of(*pipeline.teams));
  if (pipeline.runs) {
    parts.push_back("runs of elements, " + std::to_string(pipeline.runs->bytes) +
                    " bytes for each");
  }
  for (const Pipeline::Ring& ring : pipeline.rings) {
    parts.push_back(ring_of(function, pipeline, ring));
  }
  for (const Pipeline::Seam& seam : pipeline.seams) {
    parts.push_back(seam_of(function, pipeline, seam));
  }
  for (const Pipeline::Fill& fill : pipeline.fills) {
    parts.push_back("fill " + function.views[number(fill.view)].name + " " + to_string(fill.halo));
  }
  for (const RowFold& fold : pipeline.folds) parts.push_back(to_string(function, fold));
  return parts;
}

std::string to_string(const Function& function, const RowFold& fold) {
  return "rows of " + function.views[number(fold.target)].name + " = fold " +
         name_of(fold.function) + " of " + function.views[number(fold.source)].name +
         (fold.begins_anew ? ", each for itself" : "");
}

std::string head_of(const Pipeline& pipeline, const Pipeline::Stage& stage) {
  return "stage " + std::to_string(stage.lag) + " behind, beyond " +
         (pipeline.teams ? to_string(beyond_team(stage))
                         : one_axis(stage.beyond) + rows_of(pipeline, stage.rows)) +
         (stage.fetch ? ", fetched a moment before" : "") +
         (stage.by_turns ? ", row by row with the stage before" : "");
}

}  // namespace rhopsi::onf

"""Makes workflows in WfFormat by the recipes of the package wfcommons: generate.py FOLDER"""

import pathlib
import random
import sys

import numpy
from wfcommons import WorkflowGenerator
from wfcommons.wfchef import recipes

FAMILIES = ["Blast", "Bwa", "Cycles", "Epigenomics", "Genome", "Montage", "Seismology", "Soykb",
            "Srasearch"]
SIZES = [200, 500, 1000, 2000]

folder = pathlib.Path(sys.argv[1])
random.seed(1)
numpy.random.seed(1)
for family in FAMILIES:
    recipe = getattr(recipes, family + "Recipe")
    place = folder / family.lower()
    place.mkdir(parents=True, exist_ok=True)
    for size in SIZES:
        try:
            workflow = WorkflowGenerator(recipe.from_num_tasks(size)).build_workflow()
        except ValueError as error:
            print(f"{family}, {size} tasks: {error}", file=sys.stderr)
            continue
        workflow.write_json(place / f"{family.lower()}-{size}.json")

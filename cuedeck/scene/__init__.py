"""From a reached graph to the text of SCENE.md: walk, views, budget, render. Pure: values in, values out."""

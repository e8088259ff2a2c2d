"use strict";

/** How the server is started: the command and its arguments, from the settings of the editor. */
function serverOptions(settings) {
  return { command: settings.command || "breaklint", args: ["server", ...(settings.arguments || [])] };
}

/** What is served: Python files, saved or not, and the Python cells of notebooks. */
const selector = [
  { language: "python", scheme: "file" },
  { language: "python", scheme: "untitled" },
  { language: "python", notebook: "jupyter-notebook" },
];

module.exports = { serverOptions, selector };

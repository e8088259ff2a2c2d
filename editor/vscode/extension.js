"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { selector, serverOptions } = require("./server");

let client;

/** Start the server; a message says what to do when that fails. */
async function start() {
  const configuration = vscode.workspace.getConfiguration("breaklint");
  const run = serverOptions({ command: configuration.get("command"), arguments: configuration.get("arguments") });
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const watched = vscode.workspace.createFileSystemWatcher("**/{*.py,breaklint.toml,pyproject.toml}");
  client = new LanguageClient(
    "breaklint",
    "breaklint",
    { ...run, options: { cwd: folder } },
    { documentSelector: selector, synchronize: { fileEvents: watched } },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    watched.dispose();
    vscode.window.showErrorMessage(
      `breaklint: cannot start \`${run.command}\`: ${error.message}. Install breaklint with pygls and lsprotocol, ` +
        "or give its path in the setting breaklint.command.",
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function activate(context) {
  const restart = async () => {
    await stop();
    await start();
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("breaklint.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("breaklint") && restart()),
  );
  await start();
}

module.exports = { activate, deactivate: stop };

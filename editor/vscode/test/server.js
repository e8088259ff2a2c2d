"use strict";

// Start the server as the extension does, and talk to it with the library that the extension talks with.
// Usage: node test/server.js COMMAND [ARGUMENT...]; prints what was found, and exits with the server's code.
const { spawn } = require("node:child_process");
const rpc = require("vscode-languageserver-protocol/node");
const { serverOptions } = require("../server");

const TEXT = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x.item()\n";
const [command, ...rest] = process.argv.slice(2);

async function main() {
  const run = serverOptions({ command, arguments: rest });
  const server = spawn(run.command, run.args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.on("close", resolve));
  const connection = rpc.createProtocolConnection(server.stdout, server.stdin);
  const found = new Promise((resolve) => connection.onNotification(rpc.PublishDiagnosticsNotification.type, resolve));
  connection.listen();
  const { capabilities } = await connection.sendRequest(rpc.InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    workspaceFolders: null,
    capabilities: {},
  });
  await connection.sendNotification(rpc.InitializedNotification.type, {});
  const textDocument = { uri: "file:///net.py", languageId: "python", version: 1, text: TEXT };
  await connection.sendNotification(rpc.DidOpenTextDocumentNotification.type, { textDocument });
  const { diagnostics } = await found;
  await connection.sendRequest(rpc.ShutdownRequest.type);
  await connection.sendNotification(rpc.ExitNotification.type);
  const code = await ended;
  const codes = diagnostics.map((each) => each.code);
  console.log(JSON.stringify({ codes, hover: Boolean(capabilities.hoverProvider), code }));
  process.exit(code);
}

main().catch((error) => {
  console.error(error);
  process.exit(2);
});

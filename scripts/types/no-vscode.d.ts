// Stand-in for `vscode` everywhere but in src/extension: a module without members, so that using it does not compile.
export {};

/** The package `@prowess/sdk` as it lies beside each capability: what the executor has made ready, by name. */
const sdkNames = [
	...['host', 'op', 'batch', 'progress', 'signal', 'log'],
	...['http', 'sql', 'secrets', 'llm', 'shell', 'crypto', 'plist', 'fs'],
] as const;

export const sdkPackage: readonly { readonly path: string; readonly text: string }[] = [
	{
		path: 'node_modules/@prowess/sdk/package.json',
		text: '{ "name": "@prowess/sdk", "type": "module", "exports": "./index.js" }\n',
	},
	{
		path: 'node_modules/@prowess/sdk/index.js',
		text: `export const { ${sdkNames.join(', ')} } = globalThis[Symbol.for('prowess.sdk')];\n`,
	},
];

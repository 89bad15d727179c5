/** Turns a line of the table of bundles into what esbuild needs. Each host has its own module form and its own externals. */

import { basename, dirname, extname, join } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { builtInModules } from './built-in-modules.ts';
import { type Bundle, sharedProtocolBundle } from './bundles.ts';
import { lateSchemas } from './late-schemas.ts';
import { latePackages } from './late-packages.ts';
import { lazyEntries } from './lazy-entries.ts';
import { lazyPrograms, stampedPrograms } from './programs.ts';
import { onlyEnglish } from './only-english.ts';
import { onlyPlainSockets } from './only-plain-sockets.ts';
import { refuseStrayImports } from './refuse-stray-imports.ts';
import { protocolModules, sharedLibraries } from './shared-libraries.ts';

/** CommonJS packages inside an ES module still call `require` for built-in modules. */
const requireInModules =
	"import { createRequire as createRequireOfProwess } from 'node:module'; const require = createRequireOfProwess(import.meta.url);";
/** The other way round: our sources say `import.meta.url`, which a CommonJS bundle does not have. */
const urlInCommonJs = "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;";

/**
 * The form of the library that reads no variable of the environment. The one for Node asks at each word of a document whether to print it,
 * which takes a fifth of the whole reading; and with LOG_TOKENS set, it would print.
 */
export const yamlWithoutDebugging = './node_modules/yaml/browser/index.js';

const hosts: Record<Bundle['runsIn'], BuildOptions> = {
	'extension host': {
		platform: 'node',
		// VS Code 1.106, our floor, has Node 22.20.
		target: 'node22.20',
		format: 'cjs',
		// Only here: anywhere else an import of vscode does not resolve and fails the build.
		external: ['vscode'],
		define: { 'import.meta.url': 'importMetaUrl' },
		banner: { js: urlInCommonJs },
	},
	node: { platform: 'node', target: 'node22.20', format: 'esm', banner: { js: requireInModules } },
	program: {
		platform: 'node',
		target: 'node22.20',
		format: 'cjs',
		define: { 'import.meta.url': 'importMetaUrl' },
		banner: { js: `(function (require, module, __filename) {${urlInCommonJs}` },
		footer: { js: '})' },
		// A script that runs through `vm` has no `import()` of its own: what lies outside of it is required, as late.
		supported: { 'dynamic-import': false },
	},
	browser: { platform: 'browser', target: 'chrome130', format: 'iife', jsx: 'automatic', jsxImportSource: 'preact' },
};

export function buildOptions(root: string, bundle: Bundle, isProduction: boolean): BuildOptions {
	const host = hosts[bundle.runsIn];
	const extension = extname(bundle.out);
	const isCommonJs = host.format === 'cjs';
	return {
		...host,
		...(bundle.executable === true && { banner: { js: `#!/usr/bin/env node\n${requireInModules}` } }),
		absWorkingDir: root,
		entryPoints: [{ in: bundle.entry, out: join(dirname(bundle.out), basename(bundle.out, extension)) }],
		outdir: 'dist',
		outExtension: extension === '.css' ? {} : { '.js': extension },
		bundle: true,
		minify: isProduction || bundle.runsIn === 'browser',
		sourcemap: true,
		legalComments: 'none',
		drop: bundle.isSilent === true ? ['console'] : [],
		metafile: true,
		logLevel: 'silent',
		alias: { yaml: yamlWithoutDebugging },
		plugins: [
			...(isCommonJs ? [lazyEntries(root, bundle)] : []),
			...(bundle.plainSockets === true ? [onlyPlainSockets] : []),
			...(bundle.runsIn === 'program' ? [stampedPrograms] : []),
			...(bundle.runsIn === 'node' ? [lazyPrograms(root)] : []),
			...(bundle === sharedProtocolBundle ? [protocolModules(root)] : []),
			refuseStrayImports(root),
			...(bundle.runsIn === 'extension host' && bundle.firstTurn === undefined ? [sharedLibraries(root, bundle)] : []),
			...(isCommonJs ? [latePackages] : []),
			...(bundle.runsIn === 'node' || bundle.runsIn === 'program' ? [builtInModules(bundle)] : []),
			onlyEnglish,
			...(bundle.runsIn === 'browser' ? [] : [lateSchemas]),
		],
	};
}

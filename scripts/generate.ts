/**
 * Writes what is derived: the settings in package.json and package.nls.json, docs/settings.md, the English strings,
 * ThirdPartyNotices.txt, the index of our own capabilities, the types of the ops in sdk/, the
 * JSON Schemas of their inputs, the type-check projects of wings.
 *   --check  writes nothing and fails when something is stale
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIndex, indexText } from '../src/catalog/marketplace/build-index.ts';
import { bundleText, translationsToDo } from './generate/translations.ts';
import { manifestSchemas } from './generate/manifest-schemas.ts';
import { opInputs } from './generate/op-inputs.ts';
import { sdkOps } from './generate/sdk-ops.ts';
import { sdkRpc } from './generate/sdk-rpc.ts';
import { noticesText } from './generate/notices.ts';
import { manifestWithSettings, namesWithSettings, settingsPage } from './generate/settings.ts';
import { wingProjects } from './generate/wing-projects.ts';

const root = join(import.meta.dirname, '..');
const { values: flags } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const files: Readonly<Record<string, string>> = {
	'package.json': `${JSON.stringify(manifestWithSettings(JSON.parse(read('package.json'))), undefined, 2)}\n`,
	'package.nls.json': `${JSON.stringify(namesWithSettings(JSON.parse(read('package.nls.json'))), undefined, '\t')}\n`,
	'l10n/bundle.l10n.json': bundleText(root),
	'docs/settings.md': settingsPage(),
	'ThirdPartyNotices.txt': noticesText(root),
	...manifestSchemas(),
	...sdkOps(),
	...sdkRpc(),
	...opInputs(),
	...wingProjects(),
	'capabilities/index.json': indexText(
		await buildIndex(join(root, 'capabilities'), { name: 'prowess' }, new AbortController().signal),
	),
};

for (const [path, text] of Object.entries(files)) {
	const file = join(root, path);
	if (existsSync(file) && readFileSync(file, 'utf8') === text) {
		continue;
	}
	if (flags.check) {
		console.error(`${path}: stale`);
		process.exitCode = 1;
	} else {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
		console.log(`${path}: written`);
	}
}

const toDo = translationsToDo(root);
if (toDo.length > 0) console.log(`${toDo.length} translations to do: \`npm run translations\` lists them`);

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { CompletionItem, LspDiagnostic } from './lsp.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { type LanguageConnection, serveLanguage } from './language-service.ts';
import { listCompletions, findHover } from './manifest-language.ts';

const FOLDER = 'file:///project/.prowess/capabilities/skill/greet';
const YAML = `${FOLDER}/capability.yaml`;
const GOOD = 'name: greet\ntype: skill\nversion: 1.0.0\ndescription: Greets\n';

/** The host's end of the connection: what it was told last of each document. */
function host() {
	const handlers = new Map<string, (params: unknown) => unknown>();
	const shown = new Map<string, readonly LspDiagnostic[]>();
	const on = (method: string, handle: (params: unknown) => unknown) => {
		handlers.set(method, handle);
		return { dispose: () => void handlers.delete(method) };
	};
	const connection: LanguageConnection = {
		onNotification: on,
		onRequest: on,
		async sendNotification(_method, params) {
			const { uri, diagnostics } = params as { uri: string; diagnostics: readonly LspDiagnostic[] };
			shown.set(uri, diagnostics);
		},
	};
	const service = serveLanguage(connection, (error) => assert.fail(String(error)));
	const tell = (method: string, params: unknown) => handlers.get(`textDocument/${method}`)?.(params);
	return {
		service,
		handlers,
		open: (uri: string, text: string) =>
			tell('didOpen', { textDocument: { uri, version: 1, languageId: 'yaml', text } }),
		change: (uri: string, text: string) =>
			tell('didChange', { textDocument: { uri, version: 2 }, contentChanges: [{ text }] }),
		close: (uri: string) => tell('didClose', { textDocument: { uri } }),
		/** The next ones that are told: `severity line:from-to message`, lines and columns from 1. */
		async problems(uri: string) {
			const told = await waitFor(`the problems of ${uri}`, () => shown.get(uri));
			shown.delete(uri);
			return told.map(
				({ severity, range: { start, end }, message }) =>
					`${severity} ${start.line + 1}:${start.character + 1}-${end.character + 1} ${message}`,
			);
		},
		isSilentOn: (uri: string) => !shown.has(uri),
	};
}

/** In the order in which an editor shows them. */
function labels(text: string, uri = YAML): string[] {
	const before = text.slice(0, text.indexOf('|'));
	const rows = before.split('\n');
	const position = { line: rows.length - 1, character: rows.at(-1)?.length ?? 0 };
	const order = ({ label, sortText = label }: CompletionItem) => sortText;
	return listCompletions(uri, text.replace('|', ''), position)
		.toSorted((a, b) => order(a).localeCompare(order(b), 'en'))
		.map(({ label }) => label);
}

describe('Manifests that are open', () => {
	it('show what is wrong with them where it is, and no longer when it is mended', async () => {
		const { open, change, problems } = host();
		open(YAML, `${GOOD}level: HARMLESS\npermissions:\n  - shell\n  - root\n`);
		const [level, permission, ...others] = (await problems(YAML)).toSorted();
		assert.match(level ?? '', /^1 5:8-16 level: /);
		assert.match(permission ?? '', /^1 8:5-9 permissions\.1: /);
		assert.deepEqual(others, []);
		change(YAML, GOOD);
		assert.deepEqual(await problems(YAML), []);
	});

	it('show what cannot be read at all', async () => {
		const { open, change, problems } = host();
		open(YAML, `${GOOD}inputs:\n\t- name: x\n`);
		assert.match((await problems(YAML)).join('\n'), /^1 6:/);
		change(YAML, `${GOOD}name: other\n`);
		assert.match((await problems(YAML)).join('\n'), /^1 5:1-\d+ the key "name" is not unique/);
		change(YAML, 'x'.repeat(300_000));
		assert.match((await problems(YAML)).join('\n'), /^1 1:1-\d+ 300000 bytes, the limit is \d+$/);
	});

	it('are read with what else of their folder is open', async () => {
		const { open, close, problems } = host();
		open(YAML, 'name: greet\ntype: skill\nversion: 1.0.0\n');
		assert.match((await problems(YAML)).join('\n'), /^2 1:1-\d+ there is no description$/);
		open(`${FOLDER}/SKILL.md`, '---\nname: greet\ndescription: Greets\n---\nSay hello.\n');
		assert.deepEqual(await problems(YAML), []);
		close(`${FOLDER}/SKILL.md`);
		assert.match((await problems(YAML)).join('\n'), /there is no description/);
		close(YAML);
		assert.deepEqual(await problems(YAML), []);
	});

	it('are those of executors, too, and no other file', async () => {
		const { open, problems, isSilentOn } = host();
		open('file:///project/docker-compose.yaml', 'level: HARMLESS\n');
		open('file:///project/.prowess/capabilities/executors/py/executor.yaml', 'name: py\nversion: 1.0.0\n');
		assert.match(
			(await problems('file:///project/.prowess/capabilities/executors/py/executor.yaml')).join('\n'),
			/supportedTypes/,
		);
		assert.ok(isSilentOn('file:///project/docker-compose.yaml'));
	});

	it('leave nothing behind when the service ends', () => {
		const { service, handlers } = host();
		service.dispose();
		assert.deepEqual([...handlers.keys()], []);
	});
});

describe('What may be written in a manifest', () => {
	it('are the fields that are not there yet', () => {
		const offered = labels(`${GOOD}|\n`);
		assert.ok(offered.includes('level') && offered.includes('permissions'));
		assert.ok(!offered.includes('name') && !offered.includes('version'));
	});

	it('are the values of a field', () => {
		assert.deepEqual(labels('level: |'), ['SAFE', 'MONITORED', 'CONTROLLED', 'RESTRICTED', 'PRIVILEGED']);
		assert.ok(labels('permissions: [|').includes('workspace.read'));
		assert.ok(labels('permissions:\n  - |').includes('workspace.read'));
		assert.ok(labels('inputs:\n  - name: x\n    type: |').includes('number'));
		assert.deepEqual(labels('inputs:\n  - required: |'), ['true', 'false']);
		assert.deepEqual(labels('type: |'), ['skill', 'power', 'talent']);
	});

	it('are the fields of an input', () => {
		const offered = labels('inputs:\n  - name: x\n    |');
		assert.ok(offered.includes('type') && offered.includes('default') && !offered.includes('name'));
	});

	it('is nothing where nothing is declared, nor in other files', () => {
		assert.deepEqual(labels('description: |'), []);
		assert.deepEqual(labels('nonsense:\n  |'), []);
		assert.deepEqual(labels('level: |', 'file:///project/other.yaml'), []);
		assert.deepEqual(labels('level: |', `${FOLDER}/SKILL.md`), []);
	});

	it('takes the place of what is typed already', () => {
		const [item] = listCompletions(YAML, 'level: MON', { line: 0, character: 10 }).filter(
			({ label }) => label === 'MONITORED',
		);
		assert.deepEqual(item?.textEdit.range, { start: { line: 0, character: 7 }, end: { line: 0, character: 10 } });
	});
});

describe('A field that the pointer is on', () => {
	it('says what it takes', () => {
		const shown = findHover(YAML, 'level: SAFE', { line: 0, character: 2 });
		assert.match(shown?.contents.value ?? '', /^Highest risk of its ops/);
		assert.match(shown?.contents.value ?? '', /`MONITORED`/);
		assert.match(shown?.contents.value ?? '', /Default: `"CONTROLLED"`/);
		assert.deepEqual(shown?.range, { start: { line: 0, character: 0 }, end: { line: 0, character: 5 } });
	});

	it('says nothing of what is not declared', () => {
		assert.equal(findHover(YAML, 'nonsense: 1', { line: 0, character: 2 }), undefined);
		assert.equal(findHover('file:///project/other.yaml', 'level: SAFE', { line: 0, character: 2 }), undefined);
	});
});

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import * as table from './command-table.ts';

const { commandIds, DOCUMENT_SCHEME, WALKTHROUGH } = table;

interface Item {
	readonly command?: string;
	readonly submenu?: string;
	readonly when?: string;
}
interface Manifest {
	readonly icon: string;
	readonly contributes: {
		readonly commands: readonly { readonly command: string; readonly category: string; readonly icon: string }[];
		readonly menus: Readonly<Record<string, readonly Item[]>>;
		readonly keybindings: readonly { readonly command: string; readonly key: string; readonly when?: string }[];
		readonly viewsWelcome: readonly { readonly contents: string; readonly when: string }[];
		readonly views: Readonly<Record<string, readonly { readonly id: string; readonly initialSize?: number }[]>>;
		readonly mcpServerDefinitionProviders: readonly { readonly id: string }[];
		readonly chatParticipants: readonly { readonly id: string }[];
		readonly languageModelTools: readonly { readonly name: string; readonly inputSchema: { readonly type: string } }[];
		readonly yamlValidation: readonly { readonly url: string }[];
		readonly walkthroughs: readonly {
			readonly id: string;
			readonly steps: readonly { readonly media: { readonly svg: string } }[];
		}[];
	};
}

const root = join(import.meta.dirname, '../../..');
const text = readFileSync(join(root, 'package.json'), 'utf8');
const { contributes, icon } = JSON.parse(text) as Manifest;

describe('package.json', () => {
	it('declares the commands of the table, all of them and no other', () => {
		const declared = contributes.commands.map(({ command }) => command);
		assert.deepEqual(declared.toSorted(), [...commandIds].toSorted());
		assert.equal(new Set(declared).size, declared.length);
	});

	it('gives the capabilities most of the height of their side bar', () => {
		// VS Code takes 20 for a view without an `initialSize`.
		const sizes = (contributes.views['prowess'] ?? []).map(({ id, initialSize = 20 }) => [id, initialSize] as const);
		const others = sizes.filter(([id]) => id !== 'prowess.capabilities').reduce((sum, [, size]) => sum + size, 0);
		assert.ok((new Map(sizes).get('prowess.capabilities') ?? 0) > others, JSON.stringify(sizes));
	});

	it('offers to connect a model only while none is connected', () => {
		const offers = contributes.viewsWelcome.filter(({ contents }) => contents === '%welcome.noModel%');
		assert.deepEqual(
			offers.map(({ when }) => when),
			['isWorkspaceTrusted && prowess.needsModel'],
		);
		const others = contributes.viewsWelcome.filter((welcome) => !offers.includes(welcome));
		const strings = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
		for (const { contents } of others) {
			assert.doesNotMatch(strings[contents.slice(1, -1)] ?? '', /prowess\.connectModel/, contents);
		}
	});

	it('leaves the keys of the chat to the editor while somebody types in that', () => {
		const ofChat = contributes.keybindings.filter(({ when = '' }) => when.includes('prowess.chatFocused'));
		assert.ok(ofChat.length > 0);
		for (const { key, when = '' } of ofChat) assert.match(when, /!editorTextFocus/, key);
	});

	it('shows at most 60 commands in the palette', () => {
		const conditions = new Map((contributes.menus['commandPalette'] ?? []).map((item) => [item.command, item.when]));
		const shown = contributes.commands.filter(({ command }) => conditions.get(command) !== 'false');
		assert.ok(shown.length <= 60, `${shown.length}: ${shown.map(({ command }) => command).join(', ')}`);
	});

	it('offers elsewhere what the palette hides', () => {
		const { commandPalette = [], ...menus } = contributes.menus;
		const inMenus = new Set(Object.values(menus).flatMap((items) => items.map(({ command }) => command)));
		const code = readdirSync(join(root, 'src/extension'), { recursive: true, encoding: 'utf8' })
			.filter((path) => path.endsWith('.ts') && !path.endsWith('command-table.ts'))
			.map((path) => readFileSync(join(root, 'src/extension', path), 'utf8'));
		const unreachable = commandPalette
			.filter(({ command, when }) => when === 'false' && !inMenus.has(command))
			// Rows, pages and quick fixes name the command; its handler has it as a key.
			.filter(({ command }) => !code.some((source) => new RegExp(`'${command}'(?!:)`).test(source)));
		assert.deepEqual(unreachable, []);
	});

	it('gives every command our category and an icon', () => {
		for (const { command, category, icon: sign } of contributes.commands) {
			assert.equal(category, 'Prowess', command);
			assert.match(sign, /^\$\([a-z-]+\)$/, command);
		}
	});

	it('uses only commands of the table in menus, keybindings and links', () => {
		const used = [
			...Object.values(contributes.menus).flatMap((items) => items.flatMap(({ command }) => command ?? [])),
			...contributes.keybindings.map(({ command }) => command),
			...[...readFileSync(join(root, 'package.nls.json'), 'utf8').matchAll(/command:(prowess\.\w+)/g)].map(
				([, id]) => id,
			),
		];
		assert.deepEqual(
			used.filter((id) => !(commandIds as readonly (string | undefined)[]).includes(id)),
			[],
		);
	});

	it('binds no bare key, and every key only where it is meant', () => {
		for (const { key, when } of contributes.keybindings) {
			assert.match(key, /^(ctrl|alt|shift)\+/);
			assert.ok(when !== undefined && when !== '', key);
		}
	});

	it('has the views, the walkthrough and the scheme that the code names', () => {
		const views = Object.values(contributes.views).flatMap((group) => group.map(({ id }) => id));
		const named = Object.entries(table).flatMap(([name, id]) => (name.endsWith('_VIEW') ? [String(id)] : []));
		assert.deepEqual(views.toSorted(), named.toSorted());
		assert.deepEqual(
			contributes.walkthroughs.map(({ id }) => id),
			[WALKTHROUGH],
		);
		assert.ok(text.includes(`resourceScheme == ${DOCUMENT_SCHEME}`));
	});

	it('declares the tools that the code registers, each with a schema', () => {
		assert.deepEqual(
			contributes.languageModelTools.map(({ name }) => name),
			[table.LIST_TOOL, table.RUN_TOOL],
		);
		for (const { inputSchema } of contributes.languageModelTools) {
			assert.equal(inputSchema.type, 'object');
		}
	});

	it('declares the provider of MCP servers that the code registers', () => {
		assert.deepEqual(
			contributes.mcpServerDefinitionProviders.map(({ id }) => id),
			[table.MCP_PROVIDER],
		);
	});

	it('declares the chat participant that the code creates', () => {
		assert.deepEqual(
			contributes.chatParticipants.map(({ id }) => id),
			[table.CHAT_PARTICIPANT],
		);
	});

	it('names only files that are there', () => {
		const media = contributes.walkthroughs.flatMap(({ steps }) => steps.map((step) => step.media.svg));
		const schemas = contributes.yamlValidation.map(({ url }) => url);
		const named = [icon, ...media, ...schemas, 'media/prowess.svg'];
		assert.deepEqual(
			named.filter((path) => !existsSync(join(root, path))),
			[],
		);
	});

	it('resolves every %key% in English, which VS Code also shows where there is no German', () => {
		const keys = [...text.matchAll(/"%([^%]+)%"/g)].map(([, key]) => key ?? '');
		const strings = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
		assert.deepEqual(
			keys.filter((key) => !Object.hasOwn(strings, key)),
			[],
		);
	});
});

/** Ports of a host without an editor, for tests: a real folder as workspace and home, settings and answers as the test says. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Emitter } from '../../src/base/emitter.ts';
import type { ApprovalMode, EditorPort, HostPorts, PersonPort } from '../../src/contract/ports/ports.ts';
import { ProwessError } from '../../src/protocol/errors/errors.ts';
import { readSettings } from '../../src/protocol/settings/read-settings.ts';
import type { Settings } from '../../src/protocol/settings/settings.ts';
import { tempDir } from './temp-dir.ts';

export interface TestHost {
	readonly ports: HostPorts;
	readonly workspace: string;
	readonly home: string;
	/** Rules that were saved by "always". */
	readonly saved: string[];
	/** Lines of the log, as `level message`. */
	readonly log: string[];
	/** Text of open documents by absolute path. */
	readonly open: Map<string, string>;
	write(path: string, text: string): void;
	/** Changes settings from now on. */
	change(settings: Partial<Settings>): void;
}

export interface TestHostOptions {
	readonly home?: string;
	readonly workspace?: string;
	readonly files?: Readonly<Record<string, string>>;
	readonly isTrusted?: boolean;
	readonly approvalMode?: ApprovalMode;
	readonly settings?: Partial<Settings>;
	/** Settings as somebody wrote them, right or wrong. */
	readonly written?: Readonly<Record<string, unknown>>;
	readonly person?: Partial<PersonPort>;
	/** Secrets that the user keeps for capabilities. */
	readonly secrets?: Readonly<Record<string, string>>;
	readonly signIn?: HostPorts['signIn'];
	readonly server?: HostPorts['server'];
	readonly editor?: HostPorts['editor'];
	/** Change that the editor makes to the text of an open document as it saves it. */
	readonly formatOnSave?: (text: string) => string;
}

/** Nobody at the screen: a question waits for the desk. */
const absent: PersonPort = {
	approve: () => Promise.resolve(undefined),
	answer: () => Promise.resolve(undefined),
};

/** An editor without documents: with one, processes stand by. */
export const nothingOpen: EditorPort = {
	diagnostics: () => Promise.reject(new Error('nothing is open')),
	withNewProblems: async (_path, change) => ({ result: await change(), problems: [] }),
	symbols: () => Promise.reject(new Error('nothing is open')),
	references: () => Promise.reject(new Error('nothing is open')),
	refactor: () => Promise.reject(new Error('nothing is open')),
	comment: () => Promise.reject(new Error('nothing is open')),
};

export function testHost(options: TestHostOptions = {}): TestHost {
	const workspace = options.workspace ?? tempDir('workspace');
	const home = options.home ?? tempDir('home');
	const saved: string[] = [];
	const log: string[] = [];
	const open = new Map<string, string>();
	const { settings: readable, problems } = readSettings((_name, key) => options.written?.[key]);
	let current: Settings = { ...readable, ...options.settings };
	const secrets = new Map(Object.entries(options.secrets ?? {}));
	const write = (path: string, text: string) => {
		mkdirSync(dirname(join(workspace, path)), { recursive: true });
		writeFileSync(join(workspace, path), text);
	};
	for (const [path, text] of Object.entries(options.files ?? {})) {
		write(path, text);
	}
	const line = (level: string) => (message: string) => void log.push(`${level} ${message}`);
	const ports: HostPorts = {
		workspace: {
			folders: [{ name: 'app', path: workspace }],
			isTrusted: options.isTrusted ?? true,
			onDidChange: new Emitter<void>().event,
		},
		documents: {
			readOpen(absolutePath) {
				const text = open.get(absolutePath);
				return text === undefined ? undefined : { text, unsaved: false };
			},
			writeOpen(absolutePath, _expected, text) {
				if (!open.has(absolutePath)) {
					return Promise.resolve(undefined);
				}
				const saved = options.formatOnSave?.(text) ?? text;
				open.set(absolutePath, saved);
				writeFileSync(absolutePath, saved);
				return Promise.resolve(saved);
			},
		},
		editor: options.editor,
		person: { ...absent, ...options.person },
		settings: {
			get current() {
				return current;
			},
			problems,
			onDidChange: new Emitter<void>().event,
			allowAlways(rule) {
				saved.push(rule);
				return Promise.resolve();
			},
			removeAllowed(_list, entries) {
				const before = saved.length;
				saved.splice(0, before, ...saved.filter((rule) => !entries.includes(rule)));
				return Promise.resolve(before - saved.length);
			},
		},
		secrets: {
			get: (name) => Promise.resolve(secrets.get(name)),
			set(name, value) {
				if (value === undefined) {
					secrets.delete(name);
				} else {
					secrets.set(name, value);
				}
				return Promise.resolve();
			},
			list: () => Promise.resolve([...secrets.keys()]),
		},
		signIn: options.signIn ?? {
			kept: { get: () => Promise.resolve(undefined), set: () => Promise.resolve() },
			awaitAnswer: () => Promise.reject(new ProwessError('NOT_AVAILABLE_HERE', 'this test has no browser')),
		},
		log: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
		places: { home, userHome: join(home, 'user'), dist: join(home, 'no-installation/dist'), ripgrepCandidates: [] },
		approvalMode: options.approvalMode ?? 'ask',
		server: options.server ?? (() => Promise.reject(new ProwessError('SERVER_GONE', 'this test has no server'))),
	};
	const change = (changed: Partial<Settings>) => void (current = { ...current, ...changed });
	return { ports, workspace, home, saved, log, open, write, change };
}

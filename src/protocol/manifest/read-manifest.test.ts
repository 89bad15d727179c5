import assert from 'node:assert/strict';
import { PERMISSIONS } from '../ops/risk.ts';
import { mistypedIn } from '../capability/manifest.ts';
import { problemText } from './problem.ts';
import { type ManifestTexts, readCapabilityManifest, readExecutorManifest } from './read-manifest.ts';

const head = 'name: a\ntype: skill\nversion: "1"\ndescription: d\n';
const place = { name: 'a', type: 'skill' };
const read = (texts: ManifestTexts) => readCapabilityManifest(texts, place);
const errors = (texts: ManifestTexts, reader: typeof read | typeof readExecutorManifest = read) =>
	reader(texts)
		.problems.filter(({ severity }) => severity === 'error')
		.map(problemText);
const warnings = (texts: ManifestTexts) =>
	read(texts)
		.problems.filter(({ severity }) => severity === 'warning')
		.map(problemText);

describe('capability.yaml', () => {
	for (const [what, text, about] of [
		['a key twice', `${head}name: b\n`, /^capability\.yaml:5: .*"name".*unique/],
		['a key twice in a list', `${head}inputs: [{ name: a, type: string, type: number }]\n`, /:5: .*"type".*unique/],
		['a tag of its own', `${head}description2: !!js/function 'x'\n`, /:5: .*tag/i],
		['a name that is a path', head.replace('name: a', 'name: ../x'), /:1: name: /],
		['a permission nobody knows', `${head}permissions:\n  - workspace.read\n  - root\n`, /:7: permissions\.1: /],
		['text that is no mapping', 'just text', /^capability\.yaml:1: expected a mapping/],
		['a list', '- name: a', /:1: expected a mapping/],
		['a tab where YAML wants spaces', `${head}inputs:\n\t- name: x\n`, /:6: /],
		['a level nobody knows', `${head}level: ROOT\n`, /:5: level: /],
		['a number for a text', head.replace('"1"', '1.0'), /:3: version: expected text, got 1/],
		['the reserved type', head.replace('skill', 'executors'), /:2: type: "executors"/],
		[
			'an input of a type nobody knows',
			`${head}inputs:\n- { name: x, type: int }\n`,
			/:6: inputs\.0\.type: .*expected one of "string", .*"string\[\]"/,
		],
		[
			'a default with an entry of another type',
			`${head}inputs:\n- { name: x, type: "string[]", default: [a, 1] }\n`,
			/:6: inputs\.0\.default: /,
		],
		[
			'a default of another type',
			`${head}inputs:\n- { name: x, type: number, default: a }\n`,
			/:6: inputs\.0\.default: /,
		],
		['a wish for context nobody knows', `${head}context: all\n`, /:5: context: /],
		['a NUL character', `${head}author: a\0b\n`, /:5: a NUL character/],
		['brackets without end', `${head}tags: ${'['.repeat(100_000)}`, /nested too deeply/],
		['lists in lists without end', `${head}tags: ${'\n  - '.repeat(2)}${'- '.repeat(9_000)}`, /nested too deeply/],
		['more than anybody writes', `${head}tags: [${'a,'.repeat(50_000)}]`, /:1: more than 20000 words and signs/],
		['more lines than anybody writes', `${head}${'# x\n'.repeat(50_000)}`, /:1: more than 20000 words and signs/],
		['several documents', `${head}---\n${head}`, /a second document begins here/],
	] as const) {
		it(`is refused with ${what}, with its line`, () => {
			const [first, ...others] = errors({ 'capability.yaml': text });
			assert.match(first ?? '', about);
			assert.deepEqual(others, []);
			assert.equal(read({ 'capability.yaml': text }).manifest, undefined);
		});
	}

	it('is refused when a text in braces has unquoted brackets, and the error says to quote it', () => {
		const [first] = errors({ 'capability.yaml': `${head}inputs: [{ name: a, type: string[] }]\n` });
		assert.match(first ?? '', /^capability\.yaml:5: .*needs quotes/);
		const quoted = read({ 'capability.yaml': `${head}inputs: [{ name: a, type: "string[]" }]\n` });
		assert.deepEqual(quoted.manifest?.inputs, [{ name: 'a', type: 'array', items: 'string', required: false }]);
	});

	it('is refused when its aliases multiply', () => {
		const bomb = `a: &a [1,1]\n${'bcdefghij'
			.split('')
			.map((each, at) => `${each}: &${each} [*${'abcdefghi'[at]},*${'abcdefghi'[at]},*${'abcdefghi'[at]}]`)
			.join('\n')}\n${head}`;
		assert.match(errors({ 'capability.yaml': bomb })[0] ?? '', /:8: more than 20 aliases/);
	});

	it('reports every problem at its place, in the order of the file', () => {
		const text = 'name: A\ntype: skill\nlevel: X\ninputs:\n  - name: x\n  - type: string\n    name: y\ntags: a\n';
		assert.deepEqual(
			read({ 'capability.yaml': text })
				.problems.filter(({ severity }) => severity === 'error')
				.map(({ line, column, path }) => [line, column, path.join('.')]),
			[
				[1, 7, 'name'],
				[3, 8, 'level'],
				[5, 5, 'inputs.0.type'],
				[8, 7, 'tags'],
			],
		);
	});

	it('is read with defaults for missing fields', () => {
		const { manifest, problems } = read({ 'capability.yaml': head });
		assert.deepEqual(problems, []);
		assert.deepEqual(manifest, {
			name: 'a',
			type: 'skill',
			version: '1',
			description: 'd',
			tags: [],
			inputs: [],
			outputs: [],
			permissions: [],
			level: 'CONTROLLED',
			context: 'full',
			modelInvocable: true,
			userInvocable: true,
			provides: [],
		});
	});

	it('is read with a byte order mark and Windows line ends', () => {
		assert.equal(read({ 'capability.yaml': `\uFEFF${head.replaceAll('\n', '\r\n')}` }).manifest?.description, 'd');
	});

	it('takes a missing name and type from the folder, with a warning', () => {
		const { manifest } = read({ 'capability.yaml': 'author: me\n' });
		assert.deepEqual([manifest?.name, manifest?.type, manifest?.version], ['a', 'skill', '1.0.0']);
		assert.deepEqual(warnings({ 'capability.yaml': 'author: me\n' }), [
			'capability.yaml:1: there is no name; that of the folder is taken',
			'capability.yaml:1: there is no type; that of the folder is taken: skill',
			'capability.yaml:1: there is no version',
			'capability.yaml:1: there is no description',
		]);
	});

	it('overrides the name of the folder, with a warning', () => {
		const text = head.replace('name: a', 'name: b').replace('skill', 'power');
		const { manifest } = read({ 'capability.yaml': text });
		assert.deepEqual([manifest?.name, manifest?.type], ['b', 'power']);
		assert.match(warnings({ 'capability.yaml': text }).join('\n'), /:1: name: .*"a".*\n.*:2: type: .*"skill"/);
	});

	it('is read with a warning that names each unknown field', () => {
		assert.deepEqual(warnings({ 'capability.yaml': `${head}permision: [shell]\n` }), [
			'capability.yaml:5: permision: there is no such field; only a program of its own reads it',
		]);
	});

	it('may have fields of their own where its type is none of ours', () => {
		assert.deepEqual(warnings({ 'capability.yaml': `${head.replace('skill', 'ritual')}incense: [myrrh]\n` }), [
			'capability.yaml:2: type: it lies in the folder "skill"; the type in the file counts',
		]);
	});

	it('need not be there, with a warning', () => {
		assert.equal(read({}).manifest?.version, '1.0.0');
		assert.match(warnings({})[0] ?? '', /there is no capability\.yaml/);
	});

	it('overrides capability.yml, with a warning', () => {
		const texts = { 'capability.yml': 'name: other\n', 'capability.yaml': head };
		assert.equal(read(texts).manifest?.name, 'a');
		assert.match(warnings(texts)[0] ?? '', /capability\.yml lies beside it/);
	});

	it('declares arrays by the type of their items', () => {
		const { manifest } = read({
			'capability.yaml': `${head}inputs: [{ name: files, type: "string[]", default: [a] }]\n`,
		});
		assert.equal(manifest?.inputs[0]?.type, 'array');
	});

	it('overrides SKILL.md, which fills in missing fields', () => {
		const texts = {
			'capability.yaml': 'type: talent\n',
			'SKILL.md': '---\nname: a\ndescription: from there\n---\nDo it.',
		};
		const { manifest } = read(texts);
		assert.deepEqual([manifest?.type, manifest?.description], ['talent', 'from there']);
	});
});

describe('An input', () => {
	it('may have choices, which hold for its default and for what is given', () => {
		const inputs = (input: string) => ({ 'capability.yaml': `${head}inputs:\n- { name: x, ${input} }\n` });
		const { manifest } = read(inputs('type: string, choices: [short, long], default: long'));
		const [input] = manifest?.inputs ?? [];
		assert.ok(input !== undefined);
		assert.equal(mistypedIn(input, 'short'), undefined);
		assert.deepEqual(mistypedIn(input, 'tall'), { at: undefined, expected: '"short" or "long"', got: '"tall"' });
		for (const wrong of [
			'type: string, choices: [short, long], default: tall',
			'type: number, choices: [short]',
			'type: string, choices: []',
			'type: string, choices: ["a\\nb"]',
		]) {
			assert.equal(errors(inputs(wrong)).length, 1, wrong);
		}
	});

	it('of type string may name a file or a secret, and no other type may', () => {
		const inputs = (input: string) => ({ 'capability.yaml': `${head}inputs:\n- { name: x, ${input} }\n` });
		assert.equal(read(inputs('type: string, format: secret')).manifest?.inputs[0]?.format, 'secret');
		assert.equal(read(inputs('type: string, format: file')).manifest?.inputs[0]?.format, 'file');
		for (const wrong of [
			'type: string, format: date',
			'type: number, format: file',
			'type: string, format: file, choices: [a]',
		]) {
			assert.equal(errors(inputs(wrong)).length, 1, wrong);
		}
	});

	it('has no default where that is null', () => {
		const { manifest } = read({
			'capability.yaml': `${head}inputs:\n- { name: x, type: string, required: true, default: null }\n`,
		});
		assert.deepEqual(manifest?.inputs, [{ name: 'x', type: 'string', required: true }]);
	});
});

describe('POWER.md', () => {
	const power = '---\nname: lights\ndescription: Switches lights\nkeywords: [home, lamps]\n---\nSwitch them.\n';

	it('alone gives a power', () => {
		const { manifest, problems } = readCapabilityManifest({ 'POWER.md': power }, { name: 'lights', type: 'power' });
		assert.deepEqual(problems, []);
		assert.deepEqual(
			[manifest?.type, manifest?.name, manifest?.description, manifest?.tags],
			['power', 'lights', 'Switches lights', ['home', 'lamps']],
		);
	});

	it('adds nothing to a capability.yaml or a SKILL.md beside it', () => {
		const { manifest } = read({ 'capability.yaml': head, 'POWER.md': power });
		assert.deepEqual([manifest?.type, manifest?.permissions, manifest?.tags], ['skill', [], []]);
		assert.equal(
			read({ 'SKILL.md': '---\nname: a\ndescription: d\n---\nDo.', 'POWER.md': power }).manifest?.type,
			'skill',
		);
	});
});

describe('SKILL.md', () => {
	const skill = (text: string) => read({ 'SKILL.md': text });

	it('gives a skill that may ask for whatever the agent may', () => {
		const { manifest, problems } = skill(
			'---\nname: a\ndescription: Does it\nmetadata: { version: "2.1" }\n---\nDo it.',
		);
		assert.deepEqual(problems, []);
		assert.deepEqual([manifest?.type, manifest?.description, manifest?.version], ['skill', 'Does it', '2.1']);
		assert.deepEqual(
			[manifest?.permissions, manifest?.level, manifest?.allowedTools],
			[[...PERMISSIONS], 'RESTRICTED', undefined],
		);
	});

	for (const [how, front, expected] of [
		['words', 'Read Bash(git add *), Unknown', ['Read', 'Bash(git add *)', 'Unknown']],
		['a list', '\n  - Read\n  - Bash(npm run test:*)', ['Read', 'Bash(npm run test:*)']],
		['nothing', '', undefined],
		['a mapping', '{ Read: true }', undefined],
	] as const) {
		it(`names the tools that it may use without a question, as ${how}, and may ask for the others`, () => {
			const { manifest } = skill(`---\nname: a\ndescription: d\nallowed-tools: ${front}\n---\n`);
			assert.deepEqual(manifest?.allowedTools, expected);
			assert.deepEqual([manifest?.permissions, manifest?.level], [[...PERMISSIONS], 'RESTRICTED']);
		});
	}

	for (const [how, front, expected] of [
		['a mapping, which leaves none', 'required-tools: { Read: true }', []],
		['names that nobody knows, which leave none', 'required-tools: Telepathy', []],
		['nothing, which leaves all', 'required-tools:', undefined],
		['words', 'required-tools: Edit, fs_write fs.move', ['fs.edit', 'fs.write', 'fs.move']],
		['a list', 'required-tools:\n  - Bash(git *)', ['shell.run', 'shell.output', 'shell.stop']],
		['words of its metadata', 'metadata:\n  required-tools: Edit', ['fs.edit']],
	] as const) {
		it(`names the only tools of its thread, as ${how}`, () => {
			const { manifest } = skill(`---\nname: a\ndescription: d\n${front}\n---\n`);
			assert.deepEqual(manifest?.tools, expected);
		});
	}

	it('goes no higher than the permissions, or the level, of a capability.yaml beside it', () => {
		const texts = { 'SKILL.md': '---\nname: a\ndescription: d\n---\n' };
		const { manifest: reader } = read({ ...texts, 'capability.yaml': `${head}permissions: [workspace.read]\n` });
		assert.deepEqual([reader?.permissions, reader?.level], [['workspace.read'], 'CONTROLLED']);
		const { manifest: low } = read({ ...texts, 'capability.yaml': `${head}level: MONITORED\n` });
		assert.deepEqual([low?.permissions, low?.level], [[...PERMISSIONS], 'MONITORED']);
	});

	for (const [called, folder, expected] of [
		['Hook Development', 'hook-development', 'hook-development'],
		['PDF_Forms', 'PDF_Forms', 'pdf-forms'],
		['-lead-', undefined, 'lead'],
		['Café', undefined, 'cafe'],
		['Мой Навык', undefined, 'мой-навык'],
		['Any: thing', 'a', 'a'],
	] as const) {
		it(`is called ${expected} when it calls itself "${called}", with a warning`, () => {
			const { manifest, problems } = readCapabilityManifest(
				{ 'SKILL.md': `---\nname: ${JSON.stringify(called)}\ndescription: d\n---\n` },
				{ name: folder, type: 'skill' },
			);
			assert.equal(manifest?.name, expected);
			assert.match(problems.map(problemText).join(), /^SKILL\.md:2: name: .* it is called [\p{Ll}-]+ here$/u);
		});
	}

	for (const called of ['../b', 'a/b', 'a\\b', 'a..b', 'a\u202eb', '😀']) {
		it(`is refused when it calls itself ${JSON.stringify(called)} and its folder is no name`, () => {
			const { manifest } = readCapabilityManifest(
				{ 'SKILL.md': `---\nname: ${JSON.stringify(called)}\ndescription: d\n---\n` },
				{ name: undefined, type: undefined },
			);
			assert.equal(manifest, undefined);
		});
	}

	it('sets who may start it, its licence, compatibility and metadata', () => {
		const { manifest, problems } = skill(
			'---\nname: a\ndescription: d\nlicense: MIT\ncompatibility: Needs git\nmetadata: { org: us, at: 2, deep: { a: b } }\n' +
				'disable-model-invocation: true\nuser-invocable: false\n---\n',
		);
		assert.deepEqual(problems, []);
		assert.deepEqual([manifest?.modelInvocable, manifest?.userInvocable], [false, false]);
		assert.deepEqual([manifest?.license, manifest?.compatibility], ['MIT', 'Needs git']);
		assert.deepEqual(manifest?.metadata, { org: 'us', at: '2' });
		const hinted = (hint: string) => skill(`---\nname: a\ndescription: d\nargument-hint: ${hint}\n---\n`).manifest;
		assert.deepEqual(
			['"<file> [n]"', '[message]'].map((hint) => hinted(hint)?.argumentHint),
			['<file> [n]', '[message]'],
		);
		const plain = skill('---\nname: a\ndescription: d\ndisable-model-invocation: no\n---\n').manifest;
		assert.deepEqual([plain?.modelInvocable, plain?.userInvocable], [true, true]);
		// No YAML, so the values are words.
		const words = skill('---\nname: a\ndescription: Use when: always\ndisable-model-invocation: true\n---\n').manifest;
		assert.equal(words?.modelInvocable, false);
	});

	it('is read line by line when its front matter is not YAML, with a warning at the line', () => {
		const { manifest, problems } = skill('---\nname: a\ndescription: Use when: always\n---\n');
		assert.equal(manifest?.description, 'Use when: always');
		assert.match(problems.map(problemText).join(), /^SKILL\.md:3: .*line by line/);
	});

	for (const [what, front] of [
		['a list', 'allowed-tools:\n  - Read\n  - Bash'],
		['words', 'allowed-tools: Bash'],
		['one that is there twice', 'allowed-tools: Read\nallowed-tools: Bash'],
	] as const) {
		it(`allows no tool where its front matter is no YAML, not by ${what}, and says so`, () => {
			const { manifest, problems } = skill(`---\nname: a\ndescription: Use when: reading\n${front}\n---\n`);
			assert.equal(manifest?.allowedTools, undefined);
			assert.match(problems.map(problemText).join(), /nothing of allowed-tools is allowed/);
		});
	}

	for (const said of ['true', 'yes', '"true" # always', 'false\ndisable-model-invocation: true', '>-\n  true']) {
		it(`keeps models out where its front matter is no YAML and says ${JSON.stringify(said)}`, () => {
			const { manifest } = skill(
				`---\nname: a\ndescription: Use when: asked\ndisable-model-invocation: ${said}\n---\n`,
			);
			assert.equal(manifest?.modelInvocable, false);
		});
	}

	it('is read line by line with what is indented below a key', () => {
		const { manifest } = skill(
			'---\nname: a\ndescription: >-\n  Reads it.\n  Use when: reading\nlicense: a: b\n---\nDo it.',
		);
		assert.deepEqual([manifest?.description, manifest?.license], ['Reads it. Use when: reading', 'a: b']);
	});

	for (const text of ['# Hello\nworld\n', '---\nname: a\n---\nDo it.', '---\nname: a\ndescription: ""\n---\n']) {
		it(`is left out without a description, and says so: ${JSON.stringify(text)}`, () => {
			const { manifest, problems } = skill(text);
			assert.equal(manifest, undefined);
			assert.match(problems.map(problemText).join(), /description: there is no description/);
		});
	}

	it('is taken with what is too long cut, and says so', () => {
		const { manifest, problems } = skill(
			`---\nname: a\ndescription: ${'x'.repeat(1_600)}\ncompatibility: ${'y'.repeat(501)}\n---\n`,
		);
		assert.deepEqual([manifest?.description.length, manifest?.compatibility?.length], [1_536, 500]);
		assert.deepEqual(problems.map(problemText), [
			'SKILL.md:3: description: 1600 characters, the first 1536 are taken',
			'SKILL.md:4: compatibility: 501 characters, the first 500 are taken',
		]);
	});

	it('is taken with what is too long or too much in any other field cut or left out, and says so', () => {
		const tools = Array.from({ length: 202 }, (_, at) => `T${at}`).join(' ');
		const { manifest, problems } = skill(
			`---\nname: a\ndescription: d\nversion: v${'1'.repeat(100)}\nauthor: ${'x'.repeat(201)}\n` +
				`tags: [${'t'.repeat(101)}, short]\nallowed-tools: ${tools}\n` +
				`metadata:\n  note: ${'y'.repeat(2_001)}\n  ${'k'.repeat(101)}: v\n---\n`,
		);
		assert.deepEqual(
			[manifest?.version.length, manifest?.author?.length, manifest?.tags, manifest?.allowedTools?.length],
			[100, 200, ['short'], 200],
		);
		assert.deepEqual(
			Object.entries(manifest?.metadata ?? {}).map(([key, { length }]) => [key, length]),
			[['note', 2_000]],
		);
		assert.deepEqual(problems.map(problemText), [
			'SKILL.md:4: version: 101 characters, the first 100 are taken',
			'SKILL.md:5: author: 201 characters, the first 200 are taken',
			'SKILL.md:6: tags: 1 longer than 100 characters is left out',
			'SKILL.md:7: allowed-tools: 202 entries, the first 200 are taken',
			'SKILL.md:9: metadata: 1 longer than 100 characters is left out',
			'SKILL.md:9: metadata.note: 2001 characters, the first 2000 are taken',
		]);
	});

	it('says how long a name may be that is too long', () => {
		const { manifest, problems } = skill(`---\nname: ${'n'.repeat(70)}\ndescription: d\n---\n`);
		assert.equal(manifest?.name, 'a');
		assert.deepEqual(problems.map(problemText), [
			'SKILL.md:2: name: 70 characters, the limit is 64; it is called a here',
		]);
	});

	for (const name of ['技能', 'мой-навык', 'café']) {
		it(`may be called ${name}`, () => {
			const { manifest, problems } = readCapabilityManifest(
				{ 'SKILL.md': `---\nname: ${name}\ndescription: d\n---\n` },
				{ name, type: 'skill' },
			);
			assert.deepEqual([manifest?.name, problems], [name, []]);
		});
	}

	it('is all text when its front matter has no end', () => {
		assert.equal(skill('---\nname: b\n').manifest, undefined);
	});
});

describe('Permissions of a manifest', () => {
	const warned = (more: string) => {
		const yaml = `name: a\ntype: skill\nversion: 1.0.0\ndescription: d\n${more}`;
		const { manifest, problems } = readCapabilityManifest({ 'capability.yaml': yaml }, { name: 'a', type: 'skill' });
		assert.ok(manifest !== undefined);
		return problems.map(({ severity, message, line, column }) => `${severity} ${line}:${column} ${message}`);
	};

	it('that the level does not grant are told of at their place, and secrets below PRIVILEGED', () => {
		assert.deepEqual(warned('level: MONITORED\npermissions: [http, shell]\n'), [
			'warning 6:21 shell needs level RESTRICTED; it is not granted at MONITORED',
		]);
		for (const level of ['CONTROLLED', 'RESTRICTED']) {
			assert.match(
				warned(`level: ${level}\npermissions:\n  - http\n  - secrets\n`).join(),
				new RegExp(`^warning 8:5 secrets are read at level PRIVILEGED only; at ${level} it sees their names`),
			);
		}
		assert.match(warned('permissions: [secrets]\n').join(), /at CONTROLLED it sees their names/);
		assert.deepEqual(warned('level: PRIVILEGED\npermissions: [secrets, shell, mcp]\n'), []);
		assert.deepEqual(warned('level: SAFE\npermissions: [user, thread, crypto]\n'), []);
	});
});

describe('executor.yaml', () => {
	const executorErrors = (text: string) => errors({ 'executor.yaml': text }, readExecutorManifest);
	for (const [what, text, about] of [
		['without a name', 'supportedTypes: [x]\n', /:1: name: /],
		['without types', 'name: x\n', /:1: supportedTypes: /],
		['with an empty list of types', 'name: x\nsupportedTypes: []\n', /:2: supportedTypes: expected at least one/],
		['with a program beside its folder', 'name: x\nsupportedTypes: [x]\nentryPoint: ../x.js\n', /:3: entryPoint: /],
		['with a program elsewhere', 'name: x\nsupportedTypes: [x]\nentryPoint: /bin/x\n', /:3: entryPoint: /],
	] as const) {
		it(`is refused ${what}`, () => assert.match(executorErrors(text)[0] ?? '', about));
	}

	it('is required', () => {
		assert.deepEqual(errors({}, readExecutorManifest), ['executor.yaml:1: there is no executor.yaml']);
	});

	it('has the default entry point', () => {
		const { manifest } = readExecutorManifest({ 'executor.yml': 'name: x\nsupportedTypes: [x, y]\n' });
		assert.deepEqual(manifest, {
			name: 'x',
			version: '1.0.0',
			description: '',
			supportedTypes: ['x', 'y'],
			entryPoint: 'dist/index.js',
		});
	});
});

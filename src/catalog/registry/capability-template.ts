/** Templates of new capabilities and executors: a manifest, and an entry or instructions, which run as they stand. */
import { EXECUTORS_FOLDER } from '../../protocol/capability/manifest.ts';
import { EXECUTOR_PROGRAM } from './executor-template.ts';
import { EXECUTOR_TEMPLATE, type SkillForm, type TemplateFolder } from './new-capability.ts';

interface CapabilityTemplate {
	/** `skill`, `power`, `talent`, `executor`; any other word is taken for written instructions. */
	readonly type: string;
	readonly name: string;
	readonly description: string;
	/** Form of a skill; absent: a program. */
	readonly form?: SkillForm;
}

/** The folders to make: one, or two for an executor. */
export function capabilityTemplate(what: CapabilityTemplate): readonly TemplateFolder[] {
	const { type, name, description, form = 'program' } = what;
	if (type === EXECUTOR_TEMPLATE) return createExecutorFolders(name, description);
	const folder = `${type}/${name}`;
	const title = `# ${name}\n\n${description}\n`;
	if (type === 'skill' && form === 'instructions') {
		const head = `---\nname: ${name}\ndescription: ${JSON.stringify(description || `Does ${name}`)}\n---\n`;
		const body =
			'1. Describe step by step what the agent does, and when it is done.\n2. Name the files beside this one that it needs.\n';
		return [{ folder, files: { 'SKILL.md': `${head}\n${title}\n${body}` } }];
	}
	const head = [`name: ${name}`, `type: ${type}`, 'version: 0.1.0', `description: ${JSON.stringify(description)}`];
	const { manifest, files } = type === 'skill' ? createSkillParts(form) : createWrittenParts(type, title);
	return [{ folder, files: { 'capability.yaml': `${[...head, ...manifest].join('\n')}\n`, ...files } }];
}

interface TemplateParts {
	/** Lines after those that all manifests have. */
	readonly manifest: readonly string[];
	readonly files: Readonly<Record<string, string>>;
}

const READING_RIGHTS = [
	'level: MONITORED # SAFE, MONITORED, CONTROLLED, RESTRICTED, PRIVILEGED',
	'permissions: [workspace.read]',
];

function createSkillParts(form: SkillForm): TemplateParts {
	switch (form) {
		case 'node-worker':
			return {
				manifest: [`runtime: ${form}`, ...READING_RIGHTS],
				files: { 'index.js': NODE_TOOLS, ...createCase('countLines') },
			};
		case 'python-worker':
			return {
				manifest: [`runtime: ${form}`, ...READING_RIGHTS],
				files: { 'skill.py': PYTHON_TOOLS, ...createCase('count_lines') },
			};
		default: {
			const input = '  - { name: path, type: string, required: true, description: A file of the workspace }';
			return { manifest: [...READING_RIGHTS, 'inputs:', input], files: { 'index.mjs': SKILL_ENTRY, ...createCase() } };
		}
	}
}

/** A case that `prowess capability test` runs; it passes as it stands. */
function createCase(tool?: string): Readonly<Record<string, string>> {
	const lines = [
		'name: counts the lines of a file',
		...(tool === undefined ? [] : [`tool: ${tool}`]),
		'params: { path: notes.txt }',
		'files:',
		'  notes.txt: |',
		'    one',
		'    two',
		'expect:',
		tool === undefined ? '  contains: [notes.txt has 2 lines]' : '  result: { path: notes.txt, lines: 2 }',
		'  did: [fs.read notes.txt]',
		'  never: [fs.write, shell.run]',
	];
	return { 'tests/counts-lines.yaml': `${lines.join('\n')}\n` };
}

/** The same for what a model carries out: `given` is its input, and the case says what the model answers. */
function createAnsweredCase(given: string): Readonly<Record<string, string>> {
	const lines = [
		'name: answers without a change',
		`params: { ${given} }`,
		'files:',
		'  notes.txt: |',
		'    one',
		'model: [There is one note.]',
		'expect:',
		'  contains: [There is one note.]',
		'  never: [fs.write, shell.run]',
		'  modelRequests: 1',
	];
	return { 'tests/answers.yaml': `${lines.join('\n')}\n` };
}

function createWrittenParts(type: string, title: string): TemplateParts {
	if (type === 'talent') {
		return {
			manifest: [
				'level: MONITORED',
				'permissions: [llm, workspace.read]',
				'inputs:',
				'  - { name: question, type: string, required: true, description: What you want to know }',
				'  - { name: files, type: array, default: [], description: Files to look at }',
			],
			files: {
				'TALENT.md': `${title}\nYou advise … Describe the role and how it answers. Put what it knows into \`knowledge/\`.\n`,
				'knowledge/README.md': 'Put what it knows into this folder, in any number of files.\n',
				...createAnsweredCase('question: What is noted?, files: [notes.txt]'),
			},
		};
	}
	return {
		manifest: [
			'level: MONITORED',
			'permissions: [llm, workspace.read]',
			'tools: [fs.read, fs.list, fs.find, search.text]',
			'inputs:',
			'  - { name: task, type: string, required: true, description: What it should do }',
		],
		files: {
			[type === 'power' ? 'POWER.md' : 'SKILL.md']: `${title}\n1. Describe step by step how to do \`task\` well.\n`,
			...(type === 'power' && createAnsweredCase('task: Say what is noted')),
		},
	};
}

/** The executor, which runs the type of its name, and one capability of that type. */
function createExecutorFolders(name: string, description: string): readonly TemplateFolder[] {
	const words = JSON.stringify(description);
	const executor = [`name: ${name}`, 'version: 0.1.0', `description: ${words}`, `supportedTypes: [${name}]`];
	const example = [
		'name: example',
		`type: ${name}`,
		'version: 0.1.0',
		`description: "An example for the executor ${name}"`,
		...READING_RIGHTS,
		'say: Hello # fields of this type: its executor reads them',
		'files: [] # such as [README.md]',
	];
	return [
		{
			folder: `${EXECUTORS_FOLDER}/${name}`,
			files: { 'executor.yaml': `${executor.join('\n')}\nentryPoint: index.mjs\n`, 'index.mjs': EXECUTOR_PROGRAM },
		},
		{ folder: `${name}/example`, files: { 'capability.yaml': `${example.join('\n')}\n` } },
	];
}

/** Entry of a new skill. Node treats its name, `index.mjs`, as a module without reading it. */
const SKILL_ENTRY = `/** Every effect goes through \`host\`; the user sees it and may be asked first. */
export async function execute({ path }, { host, progress, signal }) {
	progress(\`reading \${path}\`);
	const { totalLines } = await host.fs.read({ path });
	signal.throwIfAborted();
	return \`\${path} has \${totalLines ?? 'too many'} lines\`;
}
`;

const NODE_TOOLS = `import { fs, progress } from '@prowess/sdk';

/**
 * Counts the lines of a file.
 * @param {string} path - a file of the workspace
 */
export async function countLines({ path }) {
	await progress.report(\`reading \${path}\`);
	const { totalLines } = await fs.read(path);
	return { path, lines: totalLines };
}

/**
 * Finds the lines of a file that hold a word.
 * @param {string} path - a file of the workspace
 * @param {string} word - what to look for
 */
export async function findWord({ path, word }) {
	const { text } = await fs.read(path);
	return text.split('\\n').filter((line) => line.includes(word));
}
`;

const PYTHON_TOOLS = `"""Each \`async def\` is a tool. Every effect goes through the SDK; the user sees it and may be asked first."""

from prowess import fs, progress


async def count_lines(path: str) -> dict:
    """Counts the lines of a file.

    Args:
        path: a file of the workspace
    """
    await progress.report("reading " + path)
    file = await fs.read(path)
    return {"path": path, "lines": file.get("totalLines")}


async def find_word(path: str, word: str) -> list:
    """Finds the lines of a file that hold a word.

    Args:
        path: a file of the workspace
        word: what to look for
    """
    file = await fs.read(path)
    return [line for line in file["text"].split("\\n") if word in line]
`;

/** Template of a new capability: a manifest, and an entry or instructions, which run as they stand. */

interface CapabilityTemplate {
	/** `skill`, `power`, `talent`; any other word is taken for written instructions. */
	readonly type: string;
	readonly name: string;
	readonly description: string;
}

/** Texts by their path in the folder of the capability; the manifest first. */
export function capabilityTemplate({ type, name, description }: CapabilityTemplate): Readonly<Record<string, string>> {
	const head = [`name: ${name}`, `type: ${type}`, 'version: 0.1.0', `description: ${JSON.stringify(description)}`];
	const { manifest, files } = createTemplateParts(type, `# ${name}\n\n${description}\n`);
	return { 'capability.yaml': `${[...head, ...manifest].join('\n')}\n`, ...files };
}

function createTemplateParts(
	type: string,
	title: string,
): { readonly manifest: readonly string[]; readonly files: Readonly<Record<string, string>> } {
	switch (type) {
		case 'skill':
			return {
				manifest: [
					'level: MONITORED # SAFE, MONITORED, CONTROLLED, RESTRICTED, PRIVILEGED',
					'permissions: [workspace.read]',
					'inputs:',
					'  - { name: path, type: string, required: true, description: A file of the workspace }',
				],
				files: { 'index.mjs': SKILL_ENTRY },
			};
		case 'talent':
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
				},
			};
		default:
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
				},
			};
	}
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

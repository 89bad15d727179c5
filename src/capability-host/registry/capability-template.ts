/** What a new capability begins as: a manifest and, for a skill, an entry that runs as it stands; for others their instructions. */

export interface CapabilityTemplate {
	readonly type: string;
	readonly name: string;
	readonly description: string;
}

/** Texts by their path in the folder of the capability; the first is the one to open. */
export function capabilityTemplate({ type, name, description }: CapabilityTemplate): Readonly<Record<string, string>> {
	const manifest = (lines: readonly string[]) =>
		[
			`name: ${name}`,
			`type: ${type}`,
			'version: 0.1.0',
			`description: ${JSON.stringify(description)}`,
			...lines,
			'',
		].join('\n');
	return type === 'skill'
		? {
				'capability.yaml': manifest([
					'level: MONITORED # SAFE, MONITORED, CONTROLLED, RESTRICTED, PRIVILEGED',
					'permissions: [workspace.read]',
					'inputs:',
					'  - name: path',
					'    type: string # string, number, boolean, object, array',
					'    description: A file of the workspace',
					'    required: true',
				]),
				'index.js': SKILL_ENTRY,
			}
		: {
				'capability.yaml': manifest([
					type === 'talent' ? 'level: SAFE' : 'level: MONITORED',
					type === 'talent' ? 'permissions: []' : 'permissions: [workspace.read]',
					'inputs:',
					'  - name: task',
					'    type: string',
					'    description: What to do',
					'    required: true',
				]),
				'SKILL.md': `# ${name}\n\n${description}\n\nSay here, step by step, how it is done well.\n`,
			};
}

const SKILL_ENTRY = `/** Every effect goes through \`host\`; the person sees it, and may be asked first. */
export async function execute({ path }, { host, progress, signal }) {
	progress(\`reading \${path}\`);
	const { text } = await host.fs.read({ path });
	signal.throwIfAborted();
	return \`\${path} has \${text.split('\\n').length} lines\`;
}
`;

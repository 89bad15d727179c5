/** A tool of a capability in one line: `search(q: string, limit?: number)  Looks for something`. */
import type { WorkerTool } from '../../protocol/manifest/worker-tool.ts';

export function toolLine({ name, description, inputs, takesMore }: WorkerTool): string {
	const params = inputs.map(({ name: input, type, items, required }) => {
		const of = type === 'array' && items !== undefined ? `${items}[]` : type;
		return `${input}${required ? '' : '?'}: ${of}`;
	});
	return `${name}(${[...params, ...(takesMore ? ['…'] : [])].join(', ')})  ${description}`.trimEnd();
}

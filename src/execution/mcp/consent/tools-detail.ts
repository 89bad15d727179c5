/** Text of the question about tools that a server has added or changed since the user agreed to it. */
import { cutText, escapeLine } from '../../../base/text/one-line.ts';
import type { ConsentDetail } from '../../../protocol/approvals/consent.ts';
import { text, withArgs } from '../../../protocol/text/text.ts';
import { ASKED_DESCRIPTION_CHARS } from '../limits.ts';
import type { McpTool, ToolChanges } from '../tools.ts';
import { EACH_CALL_ASKS } from './start-detail.ts';

export function toolsDetail(server: string, { added, changed }: Pick<ToolChanges, 'added' | 'changed'>): ConsentDetail {
	const cutDescription = ({ description }: McpTool) => cutText(description, ASKED_DESCRIPTION_CHARS);
	return {
		kind: 'consent',
		description: '',
		may: [
			...changed.map((tool) =>
				text('use the changed tool "{tool}": {said}', { tool: tool.name, said: cutDescription(tool) }),
			),
			...added.map((tool) =>
				text('use the new tool "{tool}": {said}', { tool: tool.name, said: cutDescription(tool) }),
			),
		].map((meaning) => ({ permission: null, meaning: withArgs(meaning, escapeLine) })),
		mayNot: [],
		notEnforced: [],
		enforced: [],
		maker: [withArgs(text('The server {server} says so itself.', { server }), escapeLine)],
		level: 'RESTRICTED',
		levelMeaning: EACH_CALL_ASKS,
		details: [...changed, ...added].map(({ name, inputSchema }) => ({
			label: withArgs(text('Input of {tool}:', { tool: name }), escapeLine),
			value: escapeLine(cutText(inputSchema, ASKED_DESCRIPTION_CHARS)),
		})),
	};
}

/** user.ask, todo.write and progress.report. */
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';
import { describeThrough } from '../../protocol/approvals/access.ts';
import { formatReport } from '../../protocol/ops/definitions/agent/interaction.ts';
import type { AgentDeps } from './agent-deps.ts';

export function interactionOps({
	askUser,
}: Pick<AgentDeps, 'askUser'>): Pick<OpImplementations, 'user.ask' | 'todo.write' | 'progress.report'> {
	return {
		'user.ask': {
			prepare: ({ question, options }) =>
				Promise.resolve({
					targets: [],
					detail: { kind: 'text', text: question },
					run: async (context) => {
						const askHere = () => askUser(question, options, context);
						const { words, ...by } = await context.waitForPerson('the user is asked', askHere);
						const through = describeThrough(by);
						return { answer: words, ...(through !== undefined && { through }) };
					},
				}),
		},
		/** The list lives in the thread: the result is what was noted. */
		'todo.write': {
			prepare: ({ items }) =>
				Promise.resolve({
					targets: [],
					detail: { kind: 'text', text: items.map((item) => `[${item.status}] ${item.text}`).join('\n') },
					run: () => Promise.resolve({ items: [...items] }),
				}),
		},
		'progress.report': {
			prepare: (report) =>
				Promise.resolve({
					targets: [],
					detail: { kind: 'text', text: report.message },
					run(context) {
						context.emit(`${formatReport(report)}\n`);
						return Promise.resolve({});
					},
				}),
		},
	};
}

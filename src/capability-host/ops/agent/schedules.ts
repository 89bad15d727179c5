/** schedule.add: what is to run, when, and how far, shown word for word before it is kept. A run never allows what nobody allowed. */
import { v7 } from 'uuid';
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';
import type { OpDeps } from '../op-deps.ts';

export function scheduleOps({ schedules }: Pick<OpDeps, 'schedules'>): Pick<OpImplementations, 'schedule.add'> {
	return {
		'schedule.add': {
			async prepare({ when, text, kind, mode }) {
				const checked = schedules.check({ words: when, text, kind, mode, asks: 'refuse' });
				const { zone } = checked.added;
				const next = new Date(checked.next).toISOString();
				const how =
					kind === 'reminder' ? 'reminder' : mode === 'ask' ? 'prompt, only reads' : 'prompt, works by your rules';
				const shown = `${when}\nnext: ${next} (${zone})\n${how}\n\n${text}`;
				return {
					targets: [],
					detail: { kind: 'text', text: escapeInvisible(shown, 'lines') },
					run: () => {
						const { id, nextDue } = schedules.add(`sch_${v7()}`, checked);
						const due = nextDue === null ? null : new Date(nextDue).toISOString();
						return Promise.resolve({ id, when, next: due, zone });
					},
				};
			},
		},
	};
}

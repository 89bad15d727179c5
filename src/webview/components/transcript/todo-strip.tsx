/** The agent's plan: how much is done, what is at hand, and the whole list behind it. */
import { opCard } from '../../../protocol/op-table/cards.ts';
import type { TodoItem } from '../../../protocol/ops/define-op.ts';
import type { ThreadSnapshot } from '../../../protocol/thread/thread.ts';
import { memo } from '../../parts/memo.ts';
import { useView } from '../../actions/view-context.ts';
import { Disclosure } from '../../parts/disclosure.tsx';
import { Icon } from '../../parts/icon.tsx';

/** Empty: what was planned is done, and the user has gone on to something else. */
export function planInSight({ todos, items }: Pick<ThreadSnapshot, 'todos' | 'items'>): readonly TodoItem[] {
	const planned = items.findLast((item) => item.kind === 'tool' && opCard(item.tool).hasStrip === true);
	const isOver = todos.every(({ status }) => status === 'done') && planned?.turnId !== items.at(-1)?.turnId;
	return isOver ? [] : todos;
}

const TODO_ICONS = { pending: 'circle-large-outline', active: 'arrow-circle-right', done: 'pass-filled' } as const;

export const TodoStrip = memo(({ todos }: { todos: readonly TodoItem[] }) => {
	const { t } = useView();
	if (todos.length === 0) {
		return null;
	}
	const done = todos.filter(({ status }) => status === 'done').length;
	const active = todos.find(({ status }) => status === 'active');
	const words = { pending: t('to do'), active: t('in work'), done: t('done') };
	return (
		<section class="strip todos" aria-label={t('Plan')}>
			<Disclosure
				class="strip-body"
				summary={
					<>
						<span class="strip-title">{t('Plan {done}/{all}', { done, all: todos.length })}</span>
						{active !== undefined && <span class="todo-active">{active.text}</span>}
					</>
				}
			>
				{() => (
					<ol class="todo-list">
						{todos.map(({ text, status }, index) => (
							<li key={index} class={status}>
								<Icon name={TODO_ICONS[status]} />
								<span class="sr-only">{words[status]}: </span>
								<span>{text}</span>
							</li>
						))}
					</ol>
				)}
			</Disclosure>
		</section>
	);
});

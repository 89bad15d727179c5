/** The agent's plan: how much is done, what is at hand, and the whole list behind it. */
import type { TodoItem } from '../../../protocol/thread/todo-item.ts';
import { memo } from '../../memo.ts';
import { useView } from '../../view-context.ts';
import { Disclosure } from '../disclosure.tsx';
import { Icon } from '../icon.tsx';

const ICONS = { pending: 'circle-large-outline', active: 'arrow-circle-right', done: 'pass-filled' } as const;

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
								<Icon name={ICONS[status]} />
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

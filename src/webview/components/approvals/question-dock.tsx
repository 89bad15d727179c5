/** A question of the agent: options to choose from, and a free answer. */
import { useId, useState } from 'preact/hooks';
import type { Question } from '../../../protocol/approvals/approvals.ts';
import { useView } from '../../view-context.ts';
import { Icon } from '../icon.tsx';

export function QuestionDock({ questions }: { questions: readonly Question[] }) {
	const { t } = useView();
	const question = questions[0];
	const id = useId();
	return question === undefined ? null : (
		<section class="dock question" role="group" aria-label={t('Question')} aria-describedby={id}>
			<div class="dock-head">
				<Icon name="question" />
				<p class="asked-by">{t('The agent asks, in its own words:')}</p>
				{questions.length > 1 && <span class="queue-count">{t('1 of {n}', { n: questions.length })}</span>}
			</div>
			<h2 id={id} class="asked">
				{question.question}
			</h2>
			<Answer key={question.id} question={question} />
		</section>
	);
}

function Answer({ question }: { question: Question }) {
	const { t, desk } = useView();
	const [text, setText] = useState('');
	const [isAnswered, setIsAnswered] = useState(false);
	const reply = (answer: string) => {
		if (answer.trim() !== '' && !isAnswered) {
			setIsAnswered(true);
			void desk.reply(question.id, answer).finally(() => setIsAnswered(false));
		}
	};
	return (
		<>
			{question.options.length > 0 && (
				<div class="button-row">
					{question.options.map((option, index) => (
						<button
							key={option}
							type="button"
							class="button secondary"
							disabled={isAnswered}
							aria-keyshortcuts={index < 9 ? String(index + 1) : undefined}
							onClick={() => reply(option)}
						>
							{index < 9 && <kbd aria-hidden="true">{index + 1}</kbd>}
							{option}
						</button>
					))}
				</div>
			)}
			<form
				class="answer-form"
				onSubmit={(event) => {
					event.preventDefault();
					reply(text);
				}}
			>
				<input
					class="text-field"
					maxLength={20_000}
					aria-label={t('Your answer')}
					placeholder={question.options.length > 0 ? t('Or type your own answer') : t('Your answer')}
					value={text}
					onInput={(event) => setText(event.currentTarget.value)}
				/>
				<button type="submit" class="button" disabled={isAnswered || text.trim() === ''}>
					{t('Answer')}
				</button>
			</form>
		</>
	);
}

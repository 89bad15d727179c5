/** A question of the agent: options to choose from, and a free answer. */
import { useId, useState } from 'preact/hooks';
import type { DeskQuestion } from '../../../protocol/approvals/approvals.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';
import { clockTime } from '../../parts/times.ts';
import { useSettled } from '../use-settled.ts';

interface QuestionDockProps {
	readonly questions: readonly DeskQuestion[];
	/** Ids of the questions with an answer on its way. */
	readonly answering: readonly string[];
}

export function QuestionDock({ questions, answering }: QuestionDockProps) {
	const { t } = useView();
	const question = questions[0];
	const id = useId();
	const { isSettled, disturb } = useSettled(question?.id);
	return question === undefined ? null : (
		<section
			class="dock question"
			role="group"
			aria-label={t('Question')}
			aria-describedby={id}
			data-settled={isSettled}
		>
			<div class="dock-head">
				<Icon name="question" />
				<p class="asked-by">
					{question.isOurs === true
						? t('Prowess asks:')
						: question.server === undefined
							? t('The agent asks, in its own words:')
							: t('The MCP server {name} asks, in its own words:', { name: question.server })}
				</p>
				{questions.length > 1 && <span class="queue-count">{t('1 of {n}', { n: questions.length })}</span>}
			</div>
			<h2 id={id} class="asked">
				{question.question}
			</h2>
			<p class="dock-expiry">{t('No answer is taken after {time}.', { time: clockTime(question.expiresAt) })}</p>
			<QuestionAnswer
				key={question.id}
				question={question}
				isAnswered={answering.includes(question.id)}
				isSettled={isSettled}
				disturb={disturb}
			/>
		</section>
	);
}

interface AnswerProps {
	readonly question: DeskQuestion;
	/** An answer is on its way, from here or from the input. */
	readonly isAnswered: boolean;
	/** False in its first moment, when a click may still be meant for what stood there before. */
	readonly isSettled: boolean;
	disturb(): void;
}

function QuestionAnswer({ question, isAnswered, isSettled, disturb }: AnswerProps) {
	const { t, desk } = useView();
	const [text, setText] = useState('');
	const sendReply = (answer: string) => {
		if (answer.trim() !== '' && !isAnswered) {
			void desk.reply(question.id, answer);
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
							aria-disabled={!isSettled}
							aria-keyshortcuts={index < 9 ? String(index + 1) : undefined}
							onClick={() => (isSettled ? sendReply(option) : disturb())}
						>
							{index < 9 && <kbd aria-hidden="true">{index + 1}</kbd>}
							{option}
						</button>
					))}
				</div>
			)}
			{/* A message typed in the thread of the question answers it: one field is enough. */}
			{question.threadId === null && (
				<form
					class="answer-form"
					onSubmit={(event) => {
						event.preventDefault();
						sendReply(text);
					}}
				>
					<input
						class="text-field"
						maxLength={20_000}
						aria-label={t('Your answer')}
						placeholder={t('Your answer')}
						value={text}
						onInput={(event) => setText(event.currentTarget.value)}
					/>
					<button type="submit" class="button" disabled={isAnswered || text.trim() === ''}>
						{t('Answer')}
					</button>
				</form>
			)}
		</>
	);
}

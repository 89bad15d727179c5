/**
 * Card of what a capability may do, what is not enforced against it, and who made it. The details, for users who
 * compare, hold its location and hash.
 */
import type { ConsentDetail } from '../../../protocol/approvals/consent.ts';
import { type Text, translateText } from '../../../protocol/text/text.ts';
import { useView } from '../../actions/view-context.ts';
import { Disclosure } from '../../parts/disclosure.tsx';
import { Icon } from '../../parts/icon.tsx';

export function ConsentCard({ detail }: { readonly detail: ConsentDetail }) {
	const { t } = useView();
	const { description, may, mayNot, notEnforced, enforced, maker, levelMeaning, details } = detail;
	const renderWords = (said: Text) => <bdi>{translateText(said, t)}</bdi>;
	return (
		<div class="consent">
			{description !== '' && (
				<p class="consent-description">
					<bdi>{description}</bdi>
				</p>
			)}
			<h3>{t('It may')}</h3>
			<ul>
				{may.length === 0 && <li>{t('do nothing outside of its own process')}</li>}
				{may.map(({ permission, meaning }, index) => (
					<li key={index}>
						{renderWords(meaning)} {permission !== null && <code>{permission}</code>}
					</li>
				))}
			</ul>
			{mayNot.map((said, index) => (
				<p key={index} class="detail-note">
					{renderWords(said)}
				</p>
			))}
			{notEnforced.length > 0 && (
				<div class="consent-open" role="note">
					<h3>
						<Icon name="warning" /> {t('Not enforced on this machine')}
					</h3>
					<ul>
						{notEnforced.map((said, index) => (
							<li key={index}>{renderWords(said)}</li>
						))}
					</ul>
				</div>
			)}
			{enforced.map((said, index) => (
				<p key={index}>
					<Icon name="shield" /> {renderWords(said)}
				</p>
			))}
			<h3>{t('Who made it')}</h3>
			<ul>
				{maker.map((said, index) => (
					<li key={index}>{renderWords(said)}</li>
				))}
			</ul>
			<p>{t('In short: {meaning}', { meaning: translateText(levelMeaning, t) })}</p>
			<Disclosure class="consent-details" summary={t('Details')}>
				{() => (
					<dl>
						{details.map(({ label, value }, index) => (
							<div key={index}>
								<dt>{translateText(label, t)}</dt>
								<dd>
									<code>{value}</code>
								</dd>
							</div>
						))}
					</dl>
				)}
			</Disclosure>
		</div>
	);
}

-- The language of the page on which the payer paid, for the receipt by e-mail. Null: that of the payment request, or English.
alter table transactions add column payers_language text;

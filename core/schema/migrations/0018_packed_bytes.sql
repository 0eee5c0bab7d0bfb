-- What a seal appends and what is drawn in it are packed already: no attempt to pack them again when they are written.
alter table sealed_documents alter column increment set storage external;
alter table signatures alter column appearance set storage external;

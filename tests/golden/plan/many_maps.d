BEGIN
{
	@c0 = count(); @k0[0] = sum(0);
	@c1 = count(); @k1[1] = sum(1);
	@c2 = count(); @k2[2] = sum(2);
	@c3 = count(); @k3[3] = sum(3);
	@c4 = count(); @k4[4] = sum(4);
	@c5 = count(); @k5[5] = sum(5);
	@c6 = count(); @k6[6] = sum(6);
	@c7 = count(); @k7[7] = sum(7);
	@c8 = count(); @k8[8] = sum(8);
	@c9 = count(); @k9[9] = sum(9);
	@c10 = count(); @k10[10] = sum(10);
	@c11 = count(); @k11[11] = sum(11);
	@c12 = count(); @k12[12] = sum(12);
	@c13 = count(); @k13[13] = sum(13);
	@c14 = count(); @k14[14] = sum(14);
	@c15 = count(); @k15[15] = sum(15);
	@c16 = count(); @k16[16] = sum(16);
	@c17 = count(); @k17[17] = sum(17);
	@c18 = count(); @k18[18] = sum(18);
	@c19 = count(); @k19[19] = sum(19);
	a[1] = 1; b[1, "x"] = "y"; self->c[1] = 2;
}

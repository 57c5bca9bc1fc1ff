// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {TestToken} from "script/local/TestToken.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {TreasuryDelegateFixture} from "test/helpers/TreasuryDelegateFixture.sol";

/// Runs the same tests for both kinds of delegate, because they share the setter.
abstract contract SetAutoLiquidityStablecoinIDBody is TreasuryDelegateFixture {
    IStablecoinDelegateAdmin internal subject;
    bytes32 internal subjectID;
    address internal subjectAdmin;
    bytes32 internal reserveID;

    function testFuzz_RevertWhen_TheCallerIsNotAnIssuerAdmin(address caller) public {
        vm.assume(caller != subjectAdmin);
        vm.prank(caller);
        vm.expectRevert(IStablecoinDelegateAdmin.NotIssuerAdmin.selector);
        subject.setAutoLiquidityStablecoinID(reserveID);
    }

    function test_RevertWhen_CoreSwapRefusesTheReserve() public {
        vm.startPrank(subjectAdmin);
        vm.expectRevert(ICoreSwap.IdenticalStablecoins.selector);
        subject.setAutoLiquidityStablecoinID(subjectID);
        vm.expectRevert(ICoreSwap.StablecoinNotAccepted.selector);
        subject.setAutoLiquidityStablecoinID(usdx.id);
        vm.stopPrank();
        assertEq(core.autoLiquidityStablecoinIDs(subjectID), 0);
    }

    function test_WhenCoreSwapTakesTheReserve() public {
        vm.expectEmit(address(subject));
        emit IStablecoinDelegateAdmin.AutoLiquidityStablecoinIDSet(reserveID);
        vm.expectEmit(address(core));
        emit ICoreSwap.AutoLiquidityStablecoinIDSet(subjectID, reserveID);
        vm.prank(subjectAdmin);
        subject.setAutoLiquidityStablecoinID(reserveID);
        assertEq(core.autoLiquidityStablecoinIDs(subjectID), reserveID);
    }
}

contract BalanceSheetDelegateSetAutoLiquidityStablecoinIDTest is SetAutoLiquidityStablecoinIDBody {
    function setUp() public override {
        super.setUp();
        (subject, subjectID, subjectAdmin, reserveID) = (usdc.delegate, usdc.id, usdc.issuerAdmin, trsy);
    }
}

contract TreasuryDelegateSetAutoLiquidityStablecoinIDTest is SetAutoLiquidityStablecoinIDBody {
    function setUp() public override {
        super.setUp();
        (subject, subjectID, subjectAdmin, reserveID) = (delegate, trsy, issuer, _id("YBS"));
        // A second yield-bearing stablecoin.
        TestToken token = new TestToken("YBS", "YBS", 18);
        bytes memory init = abi.encodeCall(
            TreasuryDelegate.initialize, (admin, issuer, address(core), reserveID, address(token), RATE, FEE, poster)
        );
        address other = address(new ERC1967Proxy(address(new TreasuryDelegate()), init));
        vm.prank(operator);
        core.setStablecoinAcceptance(reserveID, other, address(token), true, true);
    }
}
